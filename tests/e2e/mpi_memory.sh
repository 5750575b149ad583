# Datatypes with absolute addresses, and with long lists that differ from rank to rank and from call to call: two
# recordings are equal, though memory is elsewhere each time, and kernel and replay make the same calls. Reads at the end
# of a file by one rank alone are recorded with what they brought, also where the program ignores it.
source "$(dirname "$0")/lib.sh"
need mpirun make "$programs/mpi_memory"

for file in trace.rfn again.rfn; do
  "$refrain" record -q -o $file -- mpirun -n 3 "$programs/mpi_memory" </dev/null
done
run "$refrain" diff trace.rfn again.rfn
expect_code 0
run "$refrain" dump --no-times trace.rfn
expect_matches "$out" 'MPI_Type_create_hindexed\(\[50, 50, 50\], \[0, [0-9]{3}, [0-9]{3}\], MPI_DOUBLE\)'
expect_contains "$out" 'MPI_File_read_at(fh0, 2999900, data 100, 1000, MPI_BYTE)'
expect_contains "$out" 'MPI_File_read_at(fh0, 2999910, data 90, 1000, MPI_BYTE)'
run "$refrain" generate trace.rfn -o kernel
expect_code 0
make -s -C kernel CFLAGS='-O1 -Wall -Wextra -Wpedantic -Werror' >"$out" 2>&1 || fail "the kernel can't be built"
expect_repeated 3 mpi_memory 1
run "$refrain" generate kernel.rfn -o again
expect_same kernel/mpi_memory.c again/mpi_memory.c

run "$refrain" generate --anonymize trace.rfn -o neutral
expect_code 0
make -s -C neutral >"$out" 2>&1 || fail "the kernel can't be built"
run mpi 3 neutral/kernel --root neutral_run
expect_code 0

# Which of its datatypes a rank takes depends on the rank; no other call has such a list.
"$refrain" record -q -o two.rfn -- mpirun -n 3 "$programs/mpi_memory" two </dev/null
run "$refrain" generate two.rfn -o two
expect_code 0
make -s -C two >"$out" 2>&1 || fail "the kernel can't be built"
run "$refrain" record -q -o two.kernel.rfn -- mpirun -n 3 two/mpi_memory --root two_run </dev/null
expect_code 0
run "$refrain" diff --root two_run two.rfn two.kernel.rfn
expect_code 0
