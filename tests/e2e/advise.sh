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
  // What isn't wrong takes no time beside a fault, however busy the machine is.
  if (!*fault || !strcmp(fault, "read-back"))
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
    for (int i = 0; i < 30000; ++i) {  /* fewer would take less time than is worth a word on some machines */
      fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644);
      check(fd >= 0 && (i % 40 != 0 || write(fd, block, 100) == 100) && close(fd) == 0);
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

# Programs that let their library put things together, at a number of ranks that nobody recorded.
for kernel in flash-io gcrmio s3d-io vorpalio vpicio; do
  run "$refrain" advise --ranks 64 "$source_tree/share/kernels/$kernel.rfn"
  expect_code 0
  expect_matches "$out" '^nothing to change'
done

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
  for (MPI_Offset i = 0; i < 400 && !strcmp(fault, "gathered"); ++i)
    MPI_File_write_at_all(file, (i * size + rank) * (32 << 10), block, 32 << 10, MPI_BYTE, MPI_STATUS_IGNORE);
  const MPI_Offset odd = 4000100;
  if (!strcmp(fault, "unaligned-accesses"))
    for (MPI_Offset i = 0; i < 16; ++i) MPI_File_write_at(file, (i * size + rank) * odd, block, odd, MPI_BYTE, MPI_STATUS_IGNORE);
  if (!strcmp(fault, "data-sieving")) {
    MPI_Datatype rows;
    MPI_Type_vector(4096, 256, 1024, MPI_BYTE, &rows);
    MPI_Type_commit(&rows);
    MPI_File_set_view(file, rank * 256, MPI_BYTE, rows, "native", MPI_INFO_NULL);
    for (int i = 0; i < 4; ++i) MPI_File_write(file, block, 1 << 20, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_free(&rows);
  }
  MPI_File_close(&file);
  if (!strcmp(fault, "imbalance")) {
    char name[] = {'o', 'w', 'n', (char)('0' + rank), 0};
    FILE* own = fopen(name, "w");
    setvbuf(own, NULL, _IONBF, 0);
    for (int i = 0; i < (rank == 0 ? 24 : 1); ++i) fwrite(block, 1, 4 << 20, own);
    fclose(own);
  }
  free(block);
  MPI_Finalize();
  return 0;
}
END
sed -i '1i #include <stdio.h>' ranks.c
mpicc -O1 -o ranks ranks.c
for fault in '' uncoordinated-ranks one-rank; do
  run "$refrain" record -q -o "$base/ranks.rfn" -- mpirun -n 4 ./ranks $fault
  expect_code 0
  expect_equal "$(advised "$base/ranks.rfn")" "$fault"
done

# has FAULT TRACE  It is among those that are found.
has() { case " $(advised "$2") " in *" $1 "*) ;; *) fail "$1 was not found, but: $(advised "$2")" ;; esac; }
for fault in unaligned-accesses imbalance data-sieving; do
  options=()
  if [ "$fault" = data-sieving ]; then # ROMIO does it
    romio=$(ompi_info 2>/dev/null | sed -n 's/.*MCA io: \(romio[0-9]*\).*/\1/p' | head -n 1)
    [ -n "$romio" ] || continue
    options=(--mca io "$romio")
  fi
  run "$refrain" record -q -o "$base/ranks.rfn" -- mpirun "${options[@]}" -n 4 ./ranks "$fault"
  expect_code 0
  has "$fault" "$base/ranks.rfn"
done

# Small collective calls are gathered by MPI: no fault.
run "$refrain" record -q -o "$base/gathered.rfn" -- mpirun -n 4 ./ranks gathered
expect_code 0
case " $(advised "$base/gathered.rfn") " in *" small-accesses "*) fail "collective calls are no small accesses" ;; esac

# Parallel HDF5, with one fault at a time.
if command -v h5pcc.openmpi >/dev/null; then
  cat >arrays.c <<'END'
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* fault = argc > 1 ? argv[1] : "";
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), move = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  if (strcmp(fault, "unaligned-objects")) H5Pset_alignment(access, 65536, 1 << 20);
  if (strcmp(fault, "independent-metadata")) {
    H5Pset_all_coll_metadata_ops(access, 1);
    H5Pset_coll_metadata_write(access, 1);
  }
  if (strcmp(fault, "independent-transfers")) H5Pset_dxpl_mpio(move, H5FD_MPIO_COLLECTIVE);
  hid_t file = H5Fcreate("arrays.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hsize_t rows = 512, columns = 1024, all[] = {rows * size, columns}, chunk[] = {300, columns};
  double* data = calloc(rows * columns, sizeof *data);
  for (int i = 0; i < 8; ++i) {
    char name[16];
    snprintf(name, sizeof name, "d%d", i);
    hid_t space = H5Screate_simple(2, all, NULL), create = H5Pcreate(H5P_DATASET_CREATE);
    if (!strcmp(fault, "crossed-chunks")) H5Pset_chunk(create, 2, chunk);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, H5P_DEFAULT);
    const int parts = strcmp(fault, "independent-transfers") ? 1 : 8;
    for (int p = 0; p < parts; ++p) {
      const hsize_t begin[] = {rank * rows + p * rows / parts, 0}, count[] = {rows / parts, columns};
      hid_t memory = H5Screate_simple(2, count, NULL);
      H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, count, NULL);
      // Data that has to be converted is not moved together, whatever was asked for.
      hid_t type = strcmp(fault, "broken-collectives") ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
      H5Dwrite(set, type, memory, space, move, data);
      H5Sclose(memory);
    }
    H5Dclose(set);
    H5Pclose(create);
    H5Sclose(space);
  }
  if (!strcmp(fault, "independent-metadata"))
    for (int i = 0; i < 2000; ++i) {
      char name[16];
      snprintf(name, sizeof name, "d%d", i % 8);
      H5Dclose(H5Dopen2(file, name, H5P_DEFAULT));
    }
  H5Pclose(move);
  H5Pclose(access);
  H5Fclose(file);
  MPI_Finalize();
  return 0;
}
END
  h5pcc.openmpi -shlib -O1 -o arrays arrays.c
  faults=('' unaligned-objects crossed-chunks independent-transfers independent-metadata)
  # Later versions convert while they move data together.
  if h5pcc.openmpi -showconfig | grep -q 'HDF5 Version: 1\.1[02]\.'; then faults+=(broken-collectives); fi
  for fault in "${faults[@]}"; do
    run "$refrain" record -q -o "$base/arrays.rfn" -- mpirun -n 4 ./arrays $fault
    expect_code 0
    found=$(advised "$base/arrays.rfn")
    # What ranks wait for each other is no fault of the program: two cores run four of them.
    found=$(for rule in $found; do [ "$rule" = imbalance ] || printf '%s ' "$rule"; done)
    [ -z "$fault" ] || case " $found" in *" $fault "*) ;; *) fail "$fault was not found, but: $found" ;; esac
    [ -n "$fault" ] || expect_equal "$found" ""
  done
fi

# What could not be seen is said where nothing was found.
run "$refrain" advise "$golden/v1.rfn"
expect_code 0
expect_contains "$out" "! process 77 could not be recorded: statically linked"

# A file per checkpoint, synchronized once each: every call stands for all files together, and no file has the fault.
if [ -x "$examples/timesteps" ]; then
  run "$refrain" record -q -o timesteps.rfn -- "$examples/timesteps"
  expect_code 0
  run "$refrain" advise timesteps.rfn
  expect_code 0
  expect_lacks "$out" sync-storm
fi
