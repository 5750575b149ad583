# The parallel programs that other tests trace work, before anything is recorded: on several numbers of ranks, and
# they say the same each time.
source "$(dirname "$0")/lib.sh"
need mpirun

# bare RANKS PROGRAM  Nothing of ours is in these. Where Open MPI itself hangs, once in many times, there is a second try.
bare() {
  local try
  for try in 1 2; do
    run timeout -s INT -k 5 60 mpirun -n "$1" "$2" </dev/null
    [ "$code" -eq 124 ] || [ "$code" -eq 137 ] || return 0
  done
}

for name in every_mpiio mpi_threads mpi_endings fortran_every_mpiio fortran_f08 netcdf_write h5lite every_hdf5; do
  [ -x "$programs/$name" ] || { echo "left out: $name was not built"; continue; }
  for ranks in 1 3; do
    bare $ranks "$programs/$name"
    expect_code 0
    expect_empty "$err"
  done
  cp "$out" "$base/first"
  bare 3 "$programs/$name"
  expect_code 0
  expect_same "$base/first" "$out"
done
if [ -x "$programs/every_hdf5_serial" ]; then
  run "$programs/every_hdf5_serial"
  expect_code 0
  expect_empty "$err"
fi

# Jobs that end badly do so as asked.
if [ -x "$programs/mpi_endings" ]; then
  # Once in many times Open MPI's launcher doesn't come back from such an end; that is not what is tested here.
  ends_with() {
    run timeout -s INT 30 mpirun -n 4 "$programs/mpi_endings" "${@:2}" </dev/null
    [ "$code" -eq 124 ] || expect_code "$1"
  }
  ends_with 137 --kill 2
  ends_with 5 --abort 2
  ends_with 3 --exit 2
  run mpi 4 "$programs/mpi_endings" --io-after-finalize
  expect_code 0
  expect_equal "$(cat late_3)" "$(printf 'late_3%.0s' {1..10})"
  LD_PRELOAD=$programs/pmpi_tool.so run mpi 4 "$programs/mpi_endings"
  expect_code 0
  expect_contains "$out" 'pmpi_tool: 4 MPI_File_open, 40 MPI_File_write_at'
fi
