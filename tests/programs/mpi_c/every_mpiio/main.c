// Calls every file function of MPI 3.1 (chapter 13) with arguments that mean something, and what makes their
// arguments: datatypes, info objects, requests, groups, communicators. Runs on any number of ranks, checks
// all data it reads, and says the same in every run.
#include <stdarg.h>

#include "every_mpiio.h"

int rank;
int ranks;
static char notes[32768];
static size_t notes_length;

void note(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof notes - notes_length;
  int length = vsnprintf(notes + notes_length, room, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length + 1 >= room) MPI_Abort(MPI_COMM_WORLD, 3);
  notes_length += (size_t)length;
  notes[notes_length++] = '\n';
  notes[notes_length] = '\0';
}

void must(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  fprintf(stderr, "rank %d: %s: %s\n", rank, call, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// Codes that are none, such as Open MPI returns now and then, have no class.
void must_fail(int code, const char* call) {
  int class = -1;
  if (code >= 0 && code <= MPI_ERR_LASTCODE) MUST(MPI_Error_class(code, &class));
  note("%s failed: %d", call, class);
  if (code != MPI_SUCCESS) return;
  fprintf(stderr, "rank %d: %s should have failed\n", rank, call);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int value_of(int index, int writer, int occasion) {
  return occasion * 1000000 + writer * 1000 + index;
}

void fill(int* values, int count, int writer, int occasion) {
  for (int i = 0; i < count; ++i) values[i] = value_of(i, writer, occasion);
}

void expect_filled(const int* values, int count, int writer, int occasion) {
  for (int i = 0; i < count; ++i) {
    if (values[i] == value_of(i, writer, occasion)) continue;
    fprintf(stderr, "rank %d: value %d is %d, not %d\n", rank, i, values[i], value_of(i, writer, occasion));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

void expect_count(const MPI_Status* status, MPI_Datatype type, int count) {
  int found = 0;
  MUST(MPI_Get_count(status, type, &found));
  if (found == count) return;
  fprintf(stderr, "rank %d: %d elements were transferred, not %d\n", rank, found, count);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

MPI_File open_fresh(MPI_Comm comm, const char* name) {
  MPI_File file = MPI_FILE_NULL;
  MUST(MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  MUST(MPI_File_set_size(file, 0));
  return file;
}

void settle(MPI_File file) {
  MUST(MPI_File_sync(file));
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  MUST(MPI_File_sync(file));
}

// Rank 0 prints its own notes, and a number for those of each other rank.
static void print_notes(void) {
  unsigned long long sum = 14695981039346656037u;
  for (size_t i = 0; i < notes_length; ++i) sum = (sum ^ (unsigned char)notes[i]) * 1099511628211u;
  unsigned long long* sums = malloc((size_t)ranks * sizeof *sums);
  if (sums == NULL) MPI_Abort(MPI_COMM_WORLD, 4);
  MUST(MPI_Gather(&sum, 1, MPI_UNSIGNED_LONG_LONG, sums, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD));
  if (rank == 0) {
    printf("%s", notes);
    for (int r = 1; r < ranks; ++r) printf("rank %d: %016llx\n", r, sums[r]);
  }
  free(sums);
}

int main(int argc, char** argv) {
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MUST(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  describe_files();
  watch_errors();
  access_at_offsets();
  access_at_own_pointer();
  access_at_shared_pointer();
  look_through_types();
  describe_types();
  complete_requests();
  restart_requests();
  make_groups();
  make_communicators();
  exchange_messages();
  print_notes();
  MUST(MPI_Finalize());
  return 0;
}
