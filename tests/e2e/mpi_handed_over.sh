# Files that one rank makes and others use when a message has told them: messages are not repeated by kernels and
# replays, which therefore look whether such files are there, and wait for them, without a trace of it.
source "$(dirname "$0")/lib.sh"
need mpirun make "$programs/mpi_handed_over"

"$refrain" record -q -o trace.rfn -- mpirun -n 4 "$programs/mpi_handed_over" </dev/null
run "$refrain" generate trace.rfn -o kernel
expect_code 0
expect_contains kernel/mpi_handed_over.c 'open(there('
expect_contains kernel/mpi_handed_over.c 'open(folder_there('
make -s -C kernel CFLAGS='-O1 -Wall -Wextra -Wpedantic -Werror' >"$out" 2>&1 || fail "the kernel can't be built"
for turn in 1 2 3; do
  expect_repeated 4 mpi_handed_over "$turn"
done
# A folder whose name ends in a slash is in another one: nobody waits in vain (a minute) for itself.
run timeout -k 2 50 mpirun -n 4 kernel/mpi_handed_over --root slashes
expect_code 0
run timeout -k 2 50 mpirun -n 4 "$refrain" replay -q --root slashes_replayed trace.rfn
expect_code 0
run "$refrain" generate kernel.rfn -o again
expect_same kernel/mpi_handed_over.c again/mpi_handed_over.c
