# MPI_DISPLACEMENT_CURRENT is a name in traces, whatever number a library has for it, and kernels and replays give their
# library its own.
source "$(dirname "$0")/lib.sh"
need_layer mpiio
need mpirun mpicc "$programs/mpi_sequential"

# remade LAUNCHER MPICC PROGRAM  The trace of the program under that launcher, made again there.
remade() {
  expect_transparent "$1" -n 3 "$3"
  expect_calls 9 '^ +MPI_File_set_view\(fh0, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_BYTE, native, MPI_INFO_NULL\)$'
  cp "$base/traced.rfn" trace.rfn
  rm -rf kernel
  run "$refrain" generate -q trace.rfn -o kernel
  expect_code 0
  expect_contains kernel/mpi_sequential.c 'MPI_DISPLACEMENT_CURRENT'
  run make -s -C kernel "CC=$2" CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  run_bounded -r again "$refrain" record -q -o kernel.rfn -- "$1" -n 3 kernel/mpi_sequential --root again
  expect_code 0
  run "$refrain" diff --root again trace.rfn kernel.rfn
  expect_code 0
  run_bounded -r again "$1" -n 3 "$refrain" replay -q --root again --record replay.rfn trace.rfn
  expect_code 0
  run "$refrain" diff --root again trace.rfn replay.rfn
  expect_code 0
}

remade mpirun mpicc "$programs/mpi_sequential"
if command -v mpicc.mpich mpirun.mpich >/dev/null; then
  mpicc.mpich -O1 -o "$base/mpi_sequential" "$source_tree/tests/programs/mpi_c/mpi_sequential.c"
  remade mpirun.mpich mpicc.mpich "$base/mpi_sequential"
fi
