// What the parts of every_hdf5 share: who we are, calls that must succeed, and notes of results, which rank 0
// prints.
#ifndef EVERY_HDF5_H
#define EVERY_HDF5_H
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int rank;
extern int ranks;

// The call's result, which is not negative.
#define MUST(call) must((call), #call)
// The call must fail; HDF5 says nothing about it.
#define MUST_FAIL(call)                         \
  do {                                          \
    H5E_BEGIN_TRY { must_fail((call), #call); } \
    H5E_END_TRY                                 \
  } while (0)

hid_t must(hid_t result, const char* call);
void must_fail(hid_t result, const char* call);
void note(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The name of a file that is this rank's own: `NAME_RANK.h5`. Valid until the next call.
const char* own_name(const char* name);
// A dataset of ints with the given shape, filled with 0, 1, 2, ...
hid_t make_numbers(hid_t parent, const char* name, int dimensions, const hsize_t* size);

void use_files(void);
void use_drivers(void);
void use_groups(hid_t file);
void use_links(hid_t file);
void use_objects(hid_t file);
void use_datasets(hid_t file);
void use_layouts(hid_t file);
void use_filters(hid_t file);
void use_selections(hid_t file);
void use_spaces(void);
void use_types(hid_t file);
void use_type_properties(void);
void use_attributes(hid_t file);
void use_references(hid_t file);
void use_identifiers(hid_t file);
void use_older_functions(hid_t file);
void use_rare_functions(hid_t file);
void use_later_functions(hid_t file);
void use_errors(void);
void use_property_lists(void);
void use_settings(void);
void use_property_classes(void);
#ifdef H5_HAVE_PARALLEL
void use_shared_file(void);
#endif
#endif
