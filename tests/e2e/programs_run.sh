# The parallel programs that other tests trace work, before anything is recorded: on several numbers of ranks, and
# they say the same each time.
source "$(dirname "$0")/lib.sh"
need mpirun

for name in every_mpiio mpi_threads mpi_endings fortran_every_mpiio fortran_f08 netcdf_write h5lite every_hdf5 every_pnetcdf pnetcdf_steps; do
  [ -x "$programs/$name" ] || { echo "left out: $name was not built"; continue; }
  for ranks in 1 3; do
    run_bounded mpirun -n $ranks "$programs/$name"
    expect_code 0
    expect_empty "$err"
  done
  cp "$out" "$base/first"
  run_bounded mpirun -n 3 "$programs/$name"
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
  run timeout -s INT -k 5 40 mpirun -n 4 "$programs/mpi_endings" --kill 2 </dev/null
  [ "$code" -eq 124 ] || expect_code 137
  run_bounded mpirun -n 4 "$programs/mpi_endings" --abort 2
  expect_code 5
  run_bounded mpirun -n 4 "$programs/mpi_endings" --exit 2
  expect_code 3
  run_bounded mpirun -n 4 "$programs/mpi_endings" --io-after-finalize
  expect_code 0
  expect_equal "$(cat late_3)" "$(printf 'late_3%.0s' {1..10})"
  LD_PRELOAD=$programs/pmpi_tool.so run_bounded mpirun -n 4 "$programs/mpi_endings"
  expect_code 0
  expect_contains "$out" 'pmpi_tool: 4 MPI_File_open, 40 MPI_File_write_at'
fi
