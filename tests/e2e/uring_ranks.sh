# Ranks that write a file through io_uring: one form for all of them, kernels, and runs on other numbers of ranks.
source "$(dirname "$0")/lib.sh"
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need mpirun make "$programs/mpi_uring"
run "$programs/uring"
[ "$code" -ne 77 ] || { echo "skipped: there is no io_uring here"; exit 77; }
rm -rf "$work"/*

for ranks in 2 3 4 6; do record_at mpi_uring "$ranks"; done
"$refrain" dump --no-times mpi_uring.4.rfn >text
expect_contains text 'uring_write(ring0, fd0, data, 4096, '
expect_contains text 'rank*98304'
expect_law mpi_uring 6 2 3 4
expect_kernel mpi_uring 4
run mpi 4 "$refrain" replay -q --root again --record replay.rfn mpi_uring.4.rfn
expect_code 0
run "$refrain" diff --root again mpi_uring.4.rfn replay.rfn
expect_code 0
