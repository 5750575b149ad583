// Ways out of the folder that a program was started in that lead through MPI-IO: wall_mpiio CASE OUTSIDE, as
// wall_posix. Names with a prefix lead out where MPI takes the prefix away, as ROMIO does.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MUST(condition)                                     \
  if (!(condition)) {                                       \
    fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
    MPI_Abort(MPI_COMM_WORLD, 1);                           \
  }

static const char* outside;
static const char* at(const char* prefix, const char* name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s%s/%s", prefix, outside, name);
  return path;
}

static void fill(const char* name, MPI_Info info) {
  MPI_File file;
  MUST(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file) == 0);
  MUST(MPI_File_write_at(file, 0, "evil", 4, MPI_CHAR, MPI_STATUS_IGNORE) == 0 && MPI_File_close(&file) == 0);
}

static void absolute(void) {
  fill(at("", "new"), MPI_INFO_NULL);
  fill("../evil", MPI_INFO_NULL);
  MUST(MPI_File_delete(at("", "victim"), MPI_INFO_NULL) == 0);
}
static void prefix(void) {
  fill(at("ufs:", "new"), MPI_INFO_NULL);
  fill(at("nfs:", "another"), MPI_INFO_NULL);
  fill("ufs:../evil", MPI_INFO_NULL);
  MUST(MPI_File_delete(at("ufs:", "victim"), MPI_INFO_NULL) == 0);
}
static void prefix_below(void) {
  MUST(mkdir("a", 0755) == 0 && chdir("a") == 0 && symlink("..", "up") == 0);
  fill("ufs:up/../evil", MPI_INFO_NULL);
}
static void shared(void) {
  MPI_File file;
  int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
  MUST(MPI_File_open(MPI_COMM_WORLD, at("", "shared"), mode, MPI_INFO_NULL, &file) == 0);
  MUST(MPI_File_write_shared(file, "evil", 4, MPI_CHAR, MPI_STATUS_IGNORE) == 0 &&
       MPI_File_close(&file) == 0);
}

struct way {
  const char* name;
  void (*take)(void);
};
static const struct way ways[] = {
    {"absolute", absolute}, {"prefix", prefix}, {"prefix_below", prefix_below}, {"shared", shared}};

int main(int argc, char** argv) {
  if (argc == 1) {
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) puts(ways[i].name);
    return 0;
  }
  MPI_Init(&argc, &argv);
  outside = argv[2];
  for (size_t i = 0; argc == 3 && i < sizeof ways / sizeof ways[0]; ++i)
    if (strcmp(ways[i].name, argv[1]) == 0) ways[i].take();
  MPI_Finalize();
  return 0;
}
