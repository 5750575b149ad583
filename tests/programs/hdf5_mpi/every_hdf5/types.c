// Datatypes (H5T): compound, array, variable length, enumeration, strings, opaque, bit fields, references;
// committed ones; conversions; and the many properties of numbers.
#include "every_hdf5.h"

#include <stddef.h>

struct cell {
  int number;
  double weights[3];
  char name[8];
  int color;
};

static hid_t color_type(void) {
  hid_t type = MUST(H5Tenum_create(H5T_NATIVE_INT));
  int value = 0;
  char name[16];
  MUST(H5Tenum_insert(type, "red", &value));
  value = 5;
  MUST(H5Tenum_insert(type, "green", &value));
  MUST(H5Tenum_nameof(type, &value, name, sizeof name));
  MUST(H5Tenum_valueof(type, "red", &value));
  MUST(H5Tget_member_value(type, 1, &value));
  note("color %s has value %d", name, value);
  return type;
}

static hid_t cell_type(hid_t color) {
  const hsize_t three = 3;
  hid_t weights = MUST(H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three));
  hid_t name = MUST(H5Tcopy(H5T_C_S1));
  MUST(H5Tset_size(name, 8));
  MUST(H5Tset_strpad(name, H5T_STR_NULLPAD));
  hid_t type = MUST(H5Tcreate(H5T_COMPOUND, sizeof(struct cell)));
  MUST(H5Tinsert(type, "number", offsetof(struct cell, number), H5T_NATIVE_INT));
  MUST(H5Tinsert(type, "weights", offsetof(struct cell, weights), weights));
  MUST(H5Tinsert(type, "name", offsetof(struct cell, name), name));
  MUST(H5Tinsert(type, "color", offsetof(struct cell, color), color));
  hsize_t found = 0;
  char* member = H5Tget_member_name(type, 1);
  MUST(H5Tget_array_dims2(weights, &found));
  note("%lld members, second %s of class %d at %zu, array of %llu", (long long)MUST(H5Tget_nmembers(type)),
       member, (int)H5Tget_member_class(type, 1), H5Tget_member_offset(type, 1), (unsigned long long)found);
  MUST(H5free_memory(member));
  MUST(H5Tclose(MUST(H5Tget_member_type(type, 2))));
  MUST(H5Tget_member_index(type, "color"));
  MUST(H5Tclose(name));
  MUST(H5Tclose(weights));
  return type;
}

// Writes two elements of the type, reads them again.
static void store(hid_t file, const char* name, hid_t type, const void* values, void* again) {
  const hsize_t two = 2;
  hid_t space = MUST(H5Screate_simple(1, &two, NULL));
  hid_t dataset = MUST(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  MUST(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, again));
  if (H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0) {
    hsize_t bytes = 0;
    MUST(H5Dvlen_get_buf_size(dataset, type, space, &bytes));
    MUST(H5Dvlen_reclaim(type, space, H5P_DEFAULT, again));
    note("%s: %llu bytes of variable length", name, (unsigned long long)bytes);
  }
  MUST(H5Dclose(dataset));
  MUST(H5Sclose(space));
}

static void compounds(hid_t file) {
  struct cell cells[2];
  struct cell again[2];
  memset(cells, 0, sizeof cells);
  cells[1].number = 12;
  cells[1].weights[2] = 0.5;
  memcpy(cells[1].name, "second", 7);
  cells[1].color = 5;
  hid_t color = color_type();
  hid_t cell = cell_type(color);
  store(file, "cells", cell, cells, again);
  note("cells are the same: %d", memcmp(cells, again, sizeof cells) == 0);
  hid_t packed = MUST(H5Tcopy(cell));
  MUST(H5Tpack(packed));
  note("packed %zu, equal %lld", H5Tget_size(packed), (long long)MUST(H5Tequal(packed, cell)));
  MUST(H5Tcommit2(file, "cell type", packed, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Tflush(packed));
  MUST(H5Trefresh(packed));
  note("committed: %lld", (long long)MUST(H5Tcommitted(packed)));
  MUST(H5Tclose(packed));
  hid_t named = MUST(H5Topen2(file, "cell type", H5P_DEFAULT));
  MUST(H5Pclose(MUST(H5Tget_create_plist(named))));
  hid_t native = MUST(H5Tget_native_type(named, H5T_DIR_DEFAULT));
  MUST(H5Tclose(native));
  MUST(H5Tclose(named));
  hid_t nameless = MUST(H5Tcopy(H5T_NATIVE_INT));
  MUST(H5Tcommit_anon(file, nameless, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Tclose(nameless));
  MUST(H5Tclose(cell));
  MUST(H5Tclose(color));
}

static void variable_lengths(hid_t file) {
  int numbers[5] = {1, 2, 3, 4, 5};
  hvl_t lists[2] = {{2, numbers}, {3, numbers + 2}};
  hvl_t lists_again[2];
  hid_t list = MUST(H5Tvlen_create(H5T_NATIVE_INT));
  store(file, "lists", list, lists, lists_again);
  MUST(H5Tclose(MUST(H5Tget_super(list))));
  MUST(H5Tclose(list));
  const char* words[2] = {"one", "another word"};
  char* words_again[2];
  hid_t word = MUST(H5Tcopy(H5T_C_S1));
  MUST(H5Tset_size(word, H5T_VARIABLE));
  MUST(H5Tset_cset(word, H5T_CSET_UTF8));
  store(file, "words", word, words, words_again);
  MUST(H5Tclose(word));
}

static void other_types(hid_t file) {
  char bytes[2][5] = {"abcd", "efgh"};
  char bytes_again[2][5];
  hid_t opaque = MUST(H5Tcreate(H5T_OPAQUE, 5));
  MUST(H5Tset_tag(opaque, "five bytes"));
  store(file, "opaque", opaque, bytes, bytes_again);
  char* tag = H5Tget_tag(opaque);
  note("tag %s", tag);
  MUST(H5free_memory(tag));
  MUST(H5Tclose(opaque));
  unsigned char bits[2] = {0x0f, 0xf0};
  unsigned char bits_again[2];
  store(file, "bits of a field", H5T_NATIVE_B8, bits, bits_again);
  double numbers[4] = {1.9, -2.9, 0, 0};
  MUST(H5Tconvert(H5T_NATIVE_DOUBLE, H5T_NATIVE_INT, 2, numbers, NULL, H5P_DEFAULT));
  int converted[2];
  memcpy(converted, numbers, sizeof converted);
  note("converted to %d and %d, by the compiler: %lld", converted[0], converted[1],
       (long long)MUST(H5Tcompiler_conv(H5T_NATIVE_DOUBLE, H5T_NATIVE_INT)));
}

void use_types(hid_t file) {
  compounds(file);
  variable_lengths(file);
  other_types(file);
}

void use_type_properties(void) {
  size_t places[5];
  hid_t real = MUST(H5Tcopy(H5T_IEEE_F32LE));
  MUST(H5Tget_fields(real, &places[0], &places[1], &places[2], &places[3], &places[4]));
  MUST(H5Tset_fields(real, places[0], places[1], places[2], places[3], places[4]));
  MUST(H5Tset_ebias(real, H5Tget_ebias(real)));
  MUST(H5Tset_norm(real, H5Tget_norm(real)));
  MUST(H5Tset_inpad(real, H5Tget_inpad(real)));
  MUST(H5Tset_order(real, H5T_ORDER_BE));
  note("order %d, class %d", (int)H5Tget_order(real), (int)H5Tget_class(real));
  hid_t whole = MUST(H5Tcopy(H5T_STD_I32LE));
  MUST(H5Tset_precision(whole, 20));
  MUST(H5Tset_offset(whole, 4));
  MUST(H5Tset_pad(whole, H5T_PAD_ZERO, H5T_PAD_ONE));
  MUST(H5Tset_sign(whole, H5T_SGN_NONE));
  H5T_pad_t low;
  H5T_pad_t high;
  MUST(H5Tget_pad(whole, &low, &high));
  note("precision %zu, offset %lld, sign %d", H5Tget_precision(whole), (long long)MUST(H5Tget_offset(whole)),
       (int)H5Tget_sign(whole));
  MUST(H5Tlock(whole));
  size_t bytes = 0;
  MUST(H5Tencode(real, NULL, &bytes));
  void* text = malloc(bytes);
  MUST(H5Tencode(real, text, &bytes));
  hid_t decoded = MUST(H5Tdecode(text));
  note("decoded is the same: %lld", (long long)MUST(H5Tequal(decoded, real)));
  free(text);
  MUST(H5Tclose(decoded));
  MUST(H5Tclose(real));
}
