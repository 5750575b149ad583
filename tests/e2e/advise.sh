# `refrain advise` names the faults of programs that have them, with place, figures and remedy, and says nothing about
# programs that haven't.
source "$(dirname "$0")/lib.sh"
need cc

cat >faulty.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static char block[4 << 20];
static void check(int ok) { if (!ok) { perror("faulty"); exit(1); } }
#define put(fd, size, at) check(pwrite(fd, block, size, at) == (ssize_t)(size))  /* each a call site of its own */
int main(int argc, char** argv) {
  const char* fault = argc > 1 ? argv[1] : "";
  struct stat s;
  int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
  check(fd >= 0);
  for (int i = 0; i < 8; ++i) put(fd, sizeof block, (off_t)i * (off_t)sizeof block);
  if (!strcmp(fault, "small-accesses"))
    for (int i = 0; i < 30000; ++i) put(fd, 512, (off_t)i * 512);
  if (!strcmp(fault, "sync-storm"))
    for (int i = 0; i < 40; ++i) { put(fd, 4096, (off_t)i * 4096); check(fsync(fd) == 0); }
  if (!strcmp(fault, "stat-storm"))
    for (int i = 0; i < 30000; ++i) check(stat("data", &s) == 0);
  if (!strcmp(fault, "read-back"))
    for (int i = 0; i < 8; ++i) check(pread(fd, block, sizeof block, (off_t)i * (off_t)sizeof block) > 0);
  check(close(fd) == 0);
  if (!strcmp(fault, "reopened-files"))
    for (int i = 0; i < 900; ++i) {
      fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644);
      check(fd >= 0 && write(fd, block, 100) == 100 && close(fd) == 0);
    }
  return 0;
}
END
cc -O1 -o faulty faulty.c

# advised TRACE  The names of the rules that have something to say.
advised() {
  run "$refrain" advise --json "$1"
  expect_code 0
  python3 -c 'import json, sys
advice = json.load(open(sys.argv[1]))
for f in advice["findings"]:
    assert f["title"] and f["cost"] and f["change"] and f["figures"] and f["place"]["lines"], f
    assert 0 < f["time_ns"] <= advice["io_time_ns"], f
print(*sorted(set(f["rule"] for f in advice["findings"])))' "$out"
}

for fault in '' small-accesses sync-storm stat-storm read-back reopened-files; do
  run "$refrain" record -q -o "$base/posix.rfn" -- ./faulty $fault
  expect_code 0
  expect_equal "$(advised "$base/posix.rfn")" "$fault"
  [ -n "$fault" ] || run "$refrain" advise "$base/posix.rfn"
  [ -n "$fault" ] || expect_matches "$out" '^nothing to change'
done
run "$refrain" record -q -o "$base/posix.rfn" -- ./faulty small-accesses
run "$refrain" advise "$base/posix.rfn"
expect_code 0
expect_matches "$out" '^many small writes \[small-accesses\]: .*% of the time in I/O'
expect_contains "$out" 'loop i 30000'
expect_contains "$out" 'pwrite(fd0, data, 512, 512*i) -> 512'
expect_matches "$out" '^  figures calls 30,000, mean size 512 B, time '
expect_matches "$out" '^  change  .'

run "$refrain" advise --rules
expect_code 0
expect_lines "$out" 15
run "$refrain" advise
expect_refused
run "$refrain" advise faulty.c
expect_refused
run "$refrain" advise "$golden/v3.rfn"
expect_refused
run "$refrain" advise --ranks 8 "$golden/v3.rfn"
expect_code 0

command -v mpicc >/dev/null && command -v mpirun >/dev/null && [ -x "$examples/vpicio" ] || exit 0
cat >ranks.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* fault = argc > 1 ? argv[1] : "";
  const int piece = 128 << 10, all = 32 << 20;
  char* block = calloc(1, all);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (MPI_Offset i = 0; i < (*fault == 'u' ? 512 : 32); ++i) {
    MPI_Offset at = (i % 32 * size + rank) * piece;
    if (!strcmp(fault, "uncoordinated-ranks")) MPI_File_write_at(file, at, block, piece, MPI_BYTE, MPI_STATUS_IGNORE);
    if (!strcmp(fault, "")) MPI_File_write_at_all(file, at, block, piece, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  if (!strcmp(fault, "one-rank") && rank == 1) MPI_File_write_at(file, 0, block, all, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  free(block);
  MPI_Finalize();
  return 0;
}
END
mpicc -O1 -o ranks ranks.c
for fault in '' uncoordinated-ranks one-rank; do
  run "$refrain" record -q -o "$base/ranks.rfn" -- mpirun -n 4 ./ranks $fault
  expect_code 0
  expect_equal "$(advised "$base/ranks.rfn")" "$fault"
done

# A file per checkpoint, synchronized once each: every call stands for all files together, and no file has the fault.
if [ -x "$examples/timesteps" ]; then
  run "$refrain" record -q -o timesteps.rfn -- "$examples/timesteps"
  expect_code 0
  run "$refrain" advise timesteps.rfn
  expect_code 0
  expect_lacks "$out" sync-storm
fi
