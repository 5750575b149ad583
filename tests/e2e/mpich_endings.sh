# As mpi_endings, with MPICH: however its jobs end, they leave a readable trace that says so. The recorder inside its
# launcher is tested by launch_mpich.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_endings.sh"
need mpicc.mpich mpirun.mpich
need_layer mpiio
program=$base/mpi_endings mpirun=mpirun.mpich rank_variable=PMI_RANK
mpicc.mpich -O1 -o "$program" "$source_tree/tests/programs/mpi_c/mpi_endings.c"

expect_sudden_ends
expect_others_finalized
expect_calls_after_finalize
expect_some_recorded
