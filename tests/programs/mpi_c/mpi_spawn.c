// Starts another world of two ranks, which is this program again; each world writes a file of its own. With
// the word `unseen`, the other world is not recorded; with `together`, all write a file in common besides.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  fprintf(stderr, "%s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_file(MPI_Comm comm, const char* name) {
  MPI_File file = MPI_FILE_NULL;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  must(MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file), "open");
  must(MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE),
       "write");
  must(MPI_File_close(&file), "close");
}

/// What is done with the other world's communicator, and those that are made of it.
static void meet(MPI_Comm others, int is_child, int together) {
  MPI_Comm all = MPI_COMM_NULL, copy = MPI_COMM_NULL, part = MPI_COMM_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  must(MPI_Comm_set_errhandler(others, MPI_ERRORS_RETURN), "handler");
  must(MPI_Barrier(others), "barrier");
  must(MPI_Intercomm_merge(others, is_child, &all), "merge");
  must(MPI_Comm_dup(all, &copy), "dup");
  must(MPI_Comm_split(all, is_child, 0, &part), "split");
  must(MPI_Comm_group(part, &group), "group");
  must(MPI_Barrier(copy), "barrier");
  if (together) write_file(all, "together");
  must(MPI_Group_free(&group), "free");
  must(MPI_Comm_free(&part), "free");
  must(MPI_Comm_free(&copy), "free");
  must(MPI_Comm_free(&all), "free");
  must(MPI_Comm_disconnect(&others), "disconnect");
}

int main(int argc, char** argv) {
  MPI_Comm parent = MPI_COMM_NULL, children = MPI_COMM_NULL, copy = MPI_COMM_NULL;
  must(MPI_Init(&argc, &argv), "init");
  must(MPI_Comm_get_parent(&parent), "parent");
  int together = argc > 1 && strcmp(argv[1], "together") == 0;
  if (parent == MPI_COMM_NULL) {
    char* words[] = {argv[1], NULL};
    must(MPI_Comm_spawn(argv[0], words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE),
         "spawn");
    write_file(MPI_COMM_WORLD, "parents");
    meet(children, 0, together);
    // What comes after gets slots as if the other world had never been.
    must(MPI_Comm_dup(MPI_COMM_WORLD, &copy), "dup");
    write_file(copy, "afterwards");
    must(MPI_Comm_free(&copy), "free");
  } else {
    write_file(MPI_COMM_WORLD, "children");
    meet(parent, 1, together);
  }
  must(MPI_Finalize(), "finalize");
  return 0;
}
