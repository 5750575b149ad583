// Files as a whole: opening, sizes, properties, info objects, consistency, deletion; and errors, with
// handlers.
#include "every_mpiio.h"

static void use_info(void) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info copy = MPI_INFO_NULL;
  char key[MPI_MAX_INFO_KEY + 1];
  char value[64];
  int count = 0;
  int flag = 0;
  int length = 0;
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "cb_nodes", "1"));
  MUST(MPI_Info_set(info, "cb_buffer_size", "1048576"));
  MUST(MPI_Info_set(info, "access_style", "write_once,sequential"));
  MUST(MPI_Info_dup(info, &copy));
  MUST(MPI_Info_delete(copy, "access_style"));
  MUST(MPI_Info_get_nkeys(copy, &count));
  MUST(MPI_Info_get_nthkey(copy, 1, key));
  MUST(MPI_Info_get_valuelen(copy, "cb_buffer_size", &length, &flag));
  MUST(MPI_Info_get(copy, "cb_nodes", (int)sizeof value - 1, value, &flag));
  note("info: %d keys, second %s, length %d, cb_nodes %s", count, key, length, value);

  MPI_File file = MPI_FILE_NULL;
  MPI_Info used = MPI_INFO_NULL;
  MUST(MPI_File_open(MPI_COMM_WORLD, "hinted", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                     info, &file));
  MUST(MPI_File_set_info(file, copy));
  MUST(MPI_File_get_info(file, &used));
  MUST(MPI_File_close(&file));
  MUST(MPI_Info_free(&used));
  MUST(MPI_Info_free(&copy));
  MUST(MPI_Info_free(&info));
}

void describe_files(void) {
  MPI_File file = MPI_FILE_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Offset size = 0;
  int mode = 0;
  int members = 0;
  int atomic = 0;
  MUST(MPI_File_open(MPI_COMM_WORLD, "described", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  MUST(MPI_File_set_size(file, 5000));
  MUST(MPI_File_get_size(file, &size));
  MUST(MPI_File_get_amode(file, &mode));
  MUST(MPI_File_get_group(file, &group));
  MUST(MPI_Group_size(group, &members));
  MUST(MPI_Group_free(&group));
  note("size %lld, mode %d, group has all: %d", (long long)size, mode, members == ranks);
  // Not every library has atomic files.
  int can_set = MPI_File_set_atomicity(file, 1) == MPI_SUCCESS;
  MUST(MPI_File_get_atomicity(file, &atomic));
  note("atomicity can be set: %d, is set: %d", can_set, atomic);
  if (can_set) MUST(MPI_File_set_atomicity(file, 0));
  MUST(MPI_File_sync(file));

  MPI_Aint extent = 0;
  MUST(MPI_File_get_type_extent(file, MPI_DOUBLE, &extent));
  MPI_File same = MPI_File_f2c(MPI_File_c2f(file));
  note("extent %ld, same handle: %d", (long)extent, same == file);
  MUST(MPI_File_close(&file));
  use_info();

  MUST(MPI_Barrier(MPI_COMM_WORLD));
  if (rank == 0) {
    MUST(MPI_File_delete("described", MPI_INFO_NULL));
    MUST_FAIL(MPI_File_delete("described", MPI_INFO_NULL));
  }
  MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static int handled;

static void handle_error(MPI_File* file, int* code, ...) {
  (void)file;
  (void)code;
  ++handled;
}

static int no_conversion(void* memory, MPI_Datatype type, int count, void* data, MPI_Offset position,
                         void* state) {
  (void)memory, (void)type, (void)count, (void)data, (void)position, (void)state;
  return MPI_SUCCESS;
}

static int extent_in_file(MPI_Datatype type, MPI_Aint* extent, void* state) {
  (void)state;
  MPI_Aint lower_bound = 0;
  return MPI_Type_get_extent(type, &lower_bound, extent);
}

void watch_errors(void) {
  MPI_File file = MPI_FILE_NULL;
  MUST_FAIL(
      MPI_File_open(MPI_COMM_WORLD, "there_is_no_such_folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  MUST_FAIL(MPI_File_open(MPI_COMM_WORLD, "any", MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
  MUST_FAIL(MPI_File_open(MPI_COMM_SELF, "missing", MPI_MODE_RDWR, MPI_INFO_NULL, &file));

  MPI_Errhandler mine = MPI_ERRHANDLER_NULL;
  MPI_Errhandler found = MPI_ERRHANDLER_NULL;
  MUST(MPI_File_create_errhandler(handle_error, &mine));
  char name[32];
  snprintf(name, sizeof name, "errors_%d", rank);
  file = open_fresh(MPI_COMM_SELF, name);
  // On one rank: Open MPI 4.1 mixes up its own messages if several ranks preallocate a file together.
  MUST(MPI_File_preallocate(file, 8192));
  MPI_Offset size = 0;
  MUST(MPI_File_get_size(file, &size));
  note("preallocated %lld bytes", (long long)size);
  MUST(MPI_File_set_errhandler(file, mine));
  MUST(MPI_File_get_errhandler(file, &found));
  note("my handler is set: %d", found == mine);
  MUST(MPI_File_call_errhandler(file, MPI_ERR_OTHER));
  MUST_FAIL(MPI_File_seek(file, -1, MPI_SEEK_SET));
  note("errors handled: %d", handled);
  MUST(MPI_Errhandler_free(&found));
  MUST(MPI_Errhandler_free(&mine));
  MUST(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
  MUST(MPI_File_close(&file));
  MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &found));
  MUST(MPI_File_set_errhandler(MPI_FILE_NULL, found));
  MUST(MPI_Errhandler_free(&found));

  int class = 0;
  int code = 0;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MUST(MPI_Add_error_class(&class));
  MUST(MPI_Add_error_code(class, &code));
  MUST(MPI_Add_error_string(code, "an error of our own"));
  MUST(MPI_Error_string(code, text, &length));
  note("%s", text);
  int registered = MPI_Register_datarep("ours", no_conversion, no_conversion, extent_in_file, NULL);
  note("data representation registered: %d", registered == MPI_SUCCESS);
}
