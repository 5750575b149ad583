# A job that MPI_Abort ends, one whose rank is killed, and one whose rank never gets to MPI_Finalize leave a readable
# trace with everything that was called before.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_endings"

for how in --abort --kill --exit; do
  rm -f "$base/traced.rfn"
  run "$refrain" record -q -o "$base/traced.rfn" -- mpirun -n 3 "$programs/mpi_endings" $how 1
  [ "$code" -ne 0 ] || fail "the job should have failed"
  expect_calls 30 '^ +MPI_File_write_at\(fh0, [0-9]+, data 1000, 1000, MPI_BYTE\)$'
  expect_calls 3 '^ +MPI_File_close\(fh0\)$'
  [ $how != --abort ] || expect_calls 1 '^ +MPI_Abort\(MPI_COMM_WORLD, 5\)$'
done
expect_equal "$(info "$calls_lost")" 0
