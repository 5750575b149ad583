// The tree of a file: groups (H5G), links of all kinds (H5L), objects whatever they are (H5O), and walks over
// them with callbacks.
#include "every_hdf5.h"

void use_groups(hid_t file) {
  hid_t creation = MUST(H5Pcreate(H5P_GROUP_CREATE));
  hid_t link = MUST(H5Pcreate(H5P_LINK_CREATE));
  H5G_info_t info;
  MUST(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  MUST(H5Pset_est_link_info(creation, 10, 12));
  MUST(H5Pset_link_phase_change(creation, 8, 6));
  MUST(H5Pset_local_heap_size_hint(creation, 512));
  MUST(H5Pset_create_intermediate_group(link, 1));
  MUST(H5Pset_char_encoding(link, H5T_CSET_UTF8));
  hid_t deep = MUST(H5Gcreate2(file, "groups/a/b", link, creation, H5P_DEFAULT));
  for (int i = 0; i < 5; ++i) {
    char name[32];
    snprintf(name, sizeof name, "member %d", i);
    MUST(H5Gclose(MUST(H5Gcreate2(deep, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))));
  }
  MUST(H5Gget_info(deep, &info));
  note("group has %llu links", (unsigned long long)info.nlinks);
  MUST(H5Gget_info_by_name(file, "groups/a", &info, H5P_DEFAULT));
  MUST(H5Gget_info_by_idx(file, "groups/a/b", H5_INDEX_CRT_ORDER, H5_ITER_DEC, 0, &info, H5P_DEFAULT));
  hid_t copy = MUST(H5Gget_create_plist(deep));
  note("creation property lists are equal: %lld", (long long)MUST(H5Pequal(copy, creation)));
  MUST(H5Pclose(copy));
  MUST(H5Gflush(deep));
  MUST(H5Grefresh(deep));
  MUST(H5Gclose(deep));
  hid_t nameless = MUST(H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Olink(nameless, file, "groups/linked later", H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Gclose(nameless));
  MUST(H5Gclose(MUST(H5Gopen2(file, "groups/linked later", H5P_DEFAULT))));
  MUST_FAIL(H5Gopen2(file, "groups/nothing", H5P_DEFAULT));
  MUST(H5Pclose(link));
  MUST(H5Pclose(creation));
}

static herr_t count_link(hid_t group, const char* name, const H5L_info_t* info, void* counter) {
  (void)group, (void)info;
  *(long long*)counter += (long long)strlen(name);
  return 0;
}

static void walk_links(hid_t group) {
  long long letters = 0;
  hsize_t next = 0;
  MUST(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &next, count_link, &letters));
  note("iterated over %llu links, %lld letters", (unsigned long long)next, letters);
  next = 1;
  MUST(H5Literate_by_name(group, ".", H5_INDEX_NAME, H5_ITER_DEC, &next, count_link, &letters, H5P_DEFAULT));
  MUST(H5Lvisit(group, H5_INDEX_NAME, H5_ITER_NATIVE, count_link, &letters));
  MUST(H5Lvisit_by_name(group, ".", H5_INDEX_NAME, H5_ITER_INC, count_link, &letters, H5P_DEFAULT));
  note("%lld letters", letters);
}

static void external_link(hid_t group) {
  const hsize_t size[1] = {4};
  char target[128];
  snprintf(target, sizeof target, "%s", own_name("target"));
  hid_t other = MUST(H5Fcreate(target, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dclose(make_numbers(other, "far", 1, size)));
  MUST(H5Fclose(other));
  MUST(H5Lcreate_external(target, "/far", group, "external", H5P_DEFAULT, H5P_DEFAULT));
  hid_t access = MUST(H5Pcreate(H5P_DATASET_ACCESS));
  MUST(H5Pset_elink_prefix(access, "."));
  MUST(H5Dclose(MUST(H5Dopen2(group, "external", access))));
  MUST(H5Pclose(access));
  char value[256];
  unsigned flags = 0;
  const char* file_name = NULL;
  const char* path = NULL;
  H5L_info_t info;
  MUST(H5Lget_info(group, "external", &info, H5P_DEFAULT));
  MUST(H5Lget_val(group, "external", value, sizeof value, H5P_DEFAULT));
  MUST(H5Lunpack_elink_val(value, info.u.val_size, &flags, &file_name, &path));
  note("external link to %s in %s", path, file_name);
}

void use_links(hid_t file) {
  const hsize_t size[1] = {4};
  hid_t group = MUST(H5Gcreate2(file, "links", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dclose(make_numbers(group, "numbers", 1, size)));
  MUST(H5Lcreate_hard(group, "numbers", H5L_SAME_LOC, "hard", H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Lcreate_soft("/links/numbers", group, "soft", H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Lcreate_soft("/nowhere", group, "dangling", H5P_DEFAULT, H5P_DEFAULT));
  external_link(group);
  MUST(H5Lcopy(group, "hard", group, "copied", H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Lmove(group, "copied", group, "moved", H5P_DEFAULT, H5P_DEFAULT));
  H5L_info_t info;
  char text[64];
  MUST(H5Lget_info(group, "soft", &info, H5P_DEFAULT));
  MUST(H5Lget_val(group, "soft", text, sizeof text, H5P_DEFAULT));
  note("soft link of type %d to %s", (int)info.type, text);
  MUST(H5Lget_info_by_idx(file, "links", H5_INDEX_NAME, H5_ITER_INC, 0, &info, H5P_DEFAULT));
  MUST(H5Lget_name_by_idx(file, "links", H5_INDEX_NAME, H5_ITER_INC, 1, text, sizeof text, H5P_DEFAULT));
  MUST(H5Lget_val_by_idx(file, "links", H5_INDEX_NAME, H5_ITER_DEC, 0, text, sizeof text, H5P_DEFAULT));
  note("exists: %lld, %lld", (long long)MUST(H5Lexists(group, "moved", H5P_DEFAULT)),
       (long long)MUST(H5Lexists(group, "copied", H5P_DEFAULT)));
  walk_links(group);
  MUST(H5Ldelete(group, "moved", H5P_DEFAULT));
  MUST(H5Ldelete_by_idx(file, "links", H5_INDEX_NAME, H5_ITER_DEC, 0, H5P_DEFAULT));
  MUST(H5Lis_registered(H5L_TYPE_EXTERNAL));
  MUST_FAIL(H5Dopen2(group, "dangling", H5P_DEFAULT));
  MUST(H5Gclose(group));
}

static herr_t count_object(hid_t object, const char* name, const H5O_info_t* info, void* counters) {
  (void)object, (void)name;
  ++((int*)counters)[info->type == H5O_TYPE_GROUP ? 0 : 1];
  return 0;
}

void use_objects(hid_t file) {
  H5O_info_t info;
  char comment[32];
  int counters[2] = {0, 0};
  hid_t object = MUST(H5Oopen(file, "links/numbers", H5P_DEFAULT));
  MUST(H5Oset_comment(object, "some numbers"));
  MUST(H5Oget_comment(object, comment, sizeof comment));
  MUST(H5Oset_comment_by_name(file, "links", "a group", H5P_DEFAULT));
  MUST(H5Oget_comment_by_name(file, "links", comment, sizeof comment, H5P_DEFAULT));
  MUST(H5Oincr_refcount(object));
  MUST(H5Oget_info1(object, &info));
  MUST(H5Odecr_refcount(object));
  note("object of type %d with %u links, comment %s", (int)info.type, info.rc, comment);
  hid_t same = MUST(H5Oopen_by_addr(file, info.addr));
  MUST(H5Oclose(same));
  MUST(H5Oflush(object));
  MUST(H5Orefresh(object));
  MUST(H5Oclose(object));
  object = MUST(H5Oopen_by_idx(file, "links", H5_INDEX_NAME, H5_ITER_INC, 1, H5P_DEFAULT));
  MUST(H5Oclose(object));
  MUST(H5Oget_info_by_name2(file, "groups", &info, H5O_INFO_BASIC, H5P_DEFAULT));
  MUST(H5Oget_info_by_idx1(file, "groups", H5_INDEX_NAME, H5_ITER_INC, 0, &info, H5P_DEFAULT));
  note("object exists: %lld", (long long)MUST(H5Oexists_by_name(file, "links/hard", H5P_DEFAULT)));

  hid_t how = MUST(H5Pcreate(H5P_OBJECT_COPY));
  MUST(H5Pset_copy_object(how, H5O_COPY_EXPAND_SOFT_LINK_FLAG));
  MUST(H5Ocopy(file, "links", file, "links copied", how, H5P_DEFAULT));
  MUST(H5Pclose(how));
  MUST(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, count_object, counters, H5O_INFO_ALL));
  MUST(H5Ovisit_by_name1(file, "links copied", H5_INDEX_NAME, H5_ITER_INC, count_object, counters,
                         H5P_DEFAULT));
  note("visited %d groups and %d others", counters[0], counters[1]);
}
