# As mpi_spawn, with MPICH. That of Debian 12 can't start processes, and ends the program by itself: then the trace has what
# it did until then.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_spawn.sh"
need mpicc.mpich mpirun.mpich
need_layer mpiio
mpirun=mpirun.mpich program=$base/mpi_spawn
mpicc.mpich -O1 -o "$program" "$source_tree/tests/programs/mpi_c/mpi_spawn.c"

run timeout -k 2 60 mpirun.mpich -n 1 "$program" </dev/null
rm -f -- *
if [ "$code" -eq 0 ]; then
  expect_worlds mpicc.mpich "$program"
  exit
fi
expect_contains "$err" 'MPI_Comm_spawn'
alone=$code
run "$refrain" record -o "$base/traced.rfn" -- mpirun.mpich -n 1 "$program" </dev/null
expect_code "$alone"
expect_no_file "$base/traced.rfn.parts"
expect_equal "$(info '[p["ranks"] for p in trace["processes"] if p["ranks"]]')" "['0']"
expect_equal "$(info "$calls_lost")" 0
expect_calls 1 '^ +MPI_Init\('
expect_calls 0 'MPI_Finalize'
