# Ranks that store into one mapped file: lengths are expressions over the rank, and a recording of the kernel has them.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_mapped"

page=$(getconf PAGESIZE)
run "$refrain" record -q -o "$work/mapped.rfn" -- mpirun -n 4 "$programs/mpi_mapped"
expect_code 0
run "$refrain" dump --no-times "$work/mapped.rfn"
grep -qF 'stored_somewhere(' "$out" && { echo "skipped: this system doesn't tell which pages are stored into"; exit 77; }
expect_contains "$out" "stored(map0, $((16 * page))*i, rank*$page + $page) -> rank*$page + $page"

run "$refrain" generate mapped.rfn -o kernel
expect_code 0
run make -C kernel
expect_code 0
run "$refrain" record -q -o "$work/again.rfn" -- mpirun -n 4 kernel/mpi_mapped --root "$work/run"
expect_code 0
run "$refrain" diff --root "$work/run" mapped.rfn again.rfn
expect_code 0
expect_equal "$(stat -c %s run/state)" "$(stat -c %s state)"
