// References to objects and regions (H5R), identifiers as such (H5I), and error stacks (H5E).
#include "every_hdf5.h"

void use_references(hid_t file) {
  const hsize_t size[2] = {8, 8};
  const hsize_t start[2] = {2, 2};
  const hsize_t count[2] = {3, 4};
  const hsize_t one = 1;
  hobj_ref_t object = 0;
  hdset_reg_ref_t region;
  char name[64];
  H5O_type_t type;
  hid_t dataset = make_numbers(file, "referred", 2, size);
  hid_t space = MUST(H5Dget_space(dataset));
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  MUST(H5Rcreate(&object, file, "referred", H5R_OBJECT, -1));
  MUST(H5Rcreate(&region, file, "referred", H5R_DATASET_REGION, space));
  hid_t single = MUST(H5Screate_simple(1, &one, NULL));
  hid_t holder =
      MUST(H5Dcreate2(file, "references", H5T_STD_REF_OBJ, single, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(holder, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, &object));
  MUST(H5Dread(holder, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, &object));
  MUST(H5Rget_obj_type2(file, H5R_OBJECT, &object, &type));
  MUST(H5Rget_name(file, H5R_OBJECT, &object, name, sizeof name));
  hid_t opened = MUST(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &object));
  hid_t selected = MUST(H5Rget_region(file, H5R_DATASET_REGION, &region));
  note("reference to %s of type %d, region of %lld points", name, (int)type,
       (long long)MUST(H5Sget_select_npoints(selected)));
  MUST(H5Sclose(selected));
  MUST(H5Dclose(opened));
  MUST(H5Dclose(holder));
  MUST(H5Sclose(single));
  MUST(H5Sclose(space));
  MUST(H5Dclose(dataset));
}

static herr_t free_nothing(void* object) {
  (void)object;
  return 0;
}

void use_identifiers(hid_t file) {
  char name[64];
  hid_t group = MUST(H5Gopen2(file, "attributes", H5P_DEFAULT));
  MUST(H5Iget_name(group, name, sizeof name));
  MUST(H5Iinc_ref(group));
  note("identifier of %s: type %d, %lld references, valid %lld", name, (int)H5Iget_type(group),
       (long long)MUST(H5Iget_ref(group)), (long long)MUST(H5Iis_valid(group)));
  MUST(H5Idec_ref(group));
  hid_t same = MUST(H5Iget_file_id(group));
  MUST(H5Fclose(same));
  MUST(H5Gclose(group));
  H5I_type_t ours = H5Iregister_type(16, 0, (H5I_free_t)(void (*)(void))free_nothing);
  int thing = 0;
  hsize_t members = 0;
  hid_t id = MUST(H5Iregister(ours, &thing));
  MUST(H5Inmembers(ours, &members));
  MUST(H5Itype_exists(ours));
  note("our identifier leads to our object: %d, %llu member", H5Iobject_verify(id, ours) == &thing,
       (unsigned long long)members);
  H5Iremove_verify(id, ours);
  MUST(H5Iclear_type(ours, 0));
  MUST(H5Idestroy_type(ours));
}

static herr_t count_errors(unsigned level, const H5E_error2_t* error, void* counter) {
  (void)level, (void)error;
  ++*(int*)counter;
  return 0;
}

void use_errors(void) {
  H5E_auto2_t print = NULL;
  void* where = NULL;
  int errors = 0;
  H5E_type_t type;
  char text[64];
  MUST(H5Eget_auto2(H5E_DEFAULT, &print, &where));
  MUST(H5Eset_auto2(H5E_DEFAULT, NULL, NULL));
  if (H5Fopen("no file of this name", H5F_ACC_RDONLY, H5P_DEFAULT) >= 0) note("a file that is not there");
  hid_t stack = MUST(H5Eget_current_stack());
  MUST(H5Ewalk2(stack, H5E_WALK_DOWNWARD, count_errors, &errors));
  note("errors on the stack: %d, counted %lld", errors > 0, (long long)(MUST(H5Eget_num(stack)) - errors));
  MUST(H5Epop(stack, 1));
  MUST(H5Eset_current_stack(stack));
  MUST(H5Eclear2(H5E_DEFAULT));
  hid_t class = MUST(H5Eregister_class("ours", "every_hdf5", "1"));
  hid_t major = MUST(H5Ecreate_msg(class, H5E_MAJOR, "something large"));
  hid_t minor = MUST(H5Ecreate_msg(class, H5E_MINOR, "something small"));
  hid_t own = MUST(H5Ecreate_stack());
  MUST(H5Eset_auto2(own, print, where));
  MUST(H5Epush2(own, __FILE__, __func__, 1, class, major, minor, "number %d", 7));
  MUST(H5Eget_msg(minor, &type, text, sizeof text));
  MUST(H5Eget_class_name(class, text, sizeof text));
  note("error class %s", text);
  MUST(H5Eclose_stack(own));
  MUST(H5Eclose_msg(minor));
  MUST(H5Eclose_msg(major));
  MUST(H5Eunregister_class(class));
  MUST(H5Eset_auto2(H5E_DEFAULT, print, where));
}
