// Calls the public functions of HDF5 1.10 to 1.14 with arguments that mean something. Built twice: with
// parallel HDF5, where each rank has files of its own and all share one, and with serial HDF5. Says the same
// in every run.
#include "every_hdf5.h"

static void use_library(void) {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  hbool_t safe = 0;
  MUST(H5dont_atexit());
  MUST(H5open());
  MUST(H5get_libversion(&major, &minor, &release));
  MUST(H5check_version(major, minor, release));
  MUST(H5is_library_threadsafe(&safe));
  MUST(H5set_free_list_limits(-1, -1, -1, -1, -1, -1));
  void* memory = H5allocate_memory(100, 1);
  memory = H5resize_memory(memory, 200);
  MUST(H5free_memory(memory));
  MUST(H5garbage_collect());
  note("HDF5 %u.%u", major, minor);
}

static void use_everything(void) {
  use_library();
  use_files();
  use_drivers();
  hid_t file = MUST(H5Fcreate(own_name("every"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  use_groups(file);
  use_links(file);
  use_objects(file);
  use_datasets(file);
  use_layouts(file);
  use_filters(file);
  use_selections(file);
  use_spaces();
  use_types(file);
  use_type_properties();
  use_attributes(file);
  use_references(file);
  use_identifiers(file);
  use_older_functions(file);
  use_rare_functions(file);
  use_later_functions(file);
  MUST(H5Fclose(file));
  use_errors();
  use_property_lists();
  use_settings();
  use_property_classes();
}

int main(int argc, char** argv) {
#ifdef H5_HAVE_PARALLEL
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  use_everything();
  use_shared_file();
  MUST(H5close());
  MPI_Finalize();
#else
  (void)argc, (void)argv;
  use_everything();
  MUST(H5close());
#endif
  return 0;
}
