# Fortran programs, through mpif.h and the module mpi_f08: their calls arrive at other symbols and are recorded alike,
# once, from the place in the program that made them.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/fortran_every_mpiio" "$programs/fortran_f08"

for program in fortran_every_mpiio fortran_f08; do
  expect_transparent mpirun -n 2 "$programs/$program"
  expect_calls 2 '^ +MPI_Init\(\)$'
  expect_calls 2 '^ +MPI_Finalize\(\)$'
  run "$refrain" dump --expand --no-times "$base/traced.rfn"
  expect_matches "$out" 'MPI_File_open\(MPI_COMM_WORLD, "[^"]+", MPI_MODE_CREATE\|MPI_MODE_RDWR, MPI_INFO_NULL\) -> fh0$'
  expect_matches "$out" 'MPI_File_write_at\(fh0, [0-9]+, data [0-9]+, [0-9]+, MPI_INTEGER\)$'
  expect_lacks "$out" 'PMPI'
done

# The module mpi leads to the symbols of mpif.h.
if command -v mpifort >/dev/null; then
  expect_transparent mpirun -n 2 "$programs/fortran_every_mpiio"
  mv "$base/traced.rfn" "$base/included.rfn"
  sed -e "/include 'mpif.h'/d" -e 's/^  implicit none/  use mpi\n&/' \
    "$source_tree/tests/programs/mpi_fortran/fortran_every_mpiio.f90" >"$base/module.f90"
  mpifort -J "$base" -o "$base/module" "$base/module.f90"
  expect_transparent mpirun -n 2 "$base/module"
  run "$refrain" diff "$base/included.rfn" "$base/traced.rfn"
  expect_code 0
fi
