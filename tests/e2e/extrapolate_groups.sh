# Programs with groups of ranks that the number of ranks doesn't fill, and lists of uneven parts: certain from a few
# runs, and so is their kernel at a number of ranks that leaves yet another rest.
source "$(dirname "$0")/lib.sh"
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need mpirun make "$programs/mpi_groups"

for ranks in 6 14 16 27 32 60; do record_at mpi_groups "$ranks"; done
expect_law mpi_groups 60 6 16 27 32
run "$refrain" diff --ranks 14 mpi_groups.any.rfn mpi_groups.14.rfn
expect_code 0
expect_empty "$err"
run "$refrain" dump --no-times mpi_groups.any.rfn
expect_contains "$out" "MPI_File_set_size(fh0, min(4, P - rank/4*4)*3000)"
expect_kernel mpi_groups 14
run mpi 14 "$refrain" replay -q --ranks 14 --root replayed --record replayed.rfn mpi_groups.any.rfn
expect_code 0
run "$refrain" diff --root replayed mpi_groups.14.rfn replayed.rfn
expect_code 0
