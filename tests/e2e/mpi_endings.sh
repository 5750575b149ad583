# However a parallel program ends, it leaves a readable trace that says so: one rank killed, MPI_Abort, a rank that
# never finalizes, calls after MPI_Finalize; and ranks that are not all recorded don't wait for each other.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_endings.sh"
program=$programs/mpi_endings rank_variable=OMPI_COMM_WORLD_RANK
need mpirun "$program"

expect_sudden_ends
expect_others_finalized
expect_calls_after_finalize

# The recorder inside the launcher: the last one to end merges.
run mpi 3 "$refrain" record -q -o "$base/traced.rfn" -- "$program"
expect_code 0
expect_equal "$(info "$ranks_recorded")" "['0..2']"

expect_some_recorded
