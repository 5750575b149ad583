# Datatypes over buffers from the heap: where those are differs from run to run and from rank to rank, traces don't.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_heap_types"

record_app() {  # RANKS NAME
  mkdir -p "$base/$2.run" && cd "$base/$2.run"
  run "$refrain" record -q -o "$base/$2.rfn" -- mpirun -n "$1" "$programs/mpi_heap_types" </dev/null
  expect_code 0
  cd "$work"
}
record_app 3 first
record_app 3 second
run "$refrain" diff "$base/first.rfn" "$base/second.rfn"
expect_code 0

# One form for all ranks; blocks in the order of the type, apart as those of an allocator are.
run "$refrain" dump --no-times "$base/first.rfn"
expect_contains "$out" 'MPI_Type_create_hindexed([i + 100, i + 164, i + 228, i + 292, i + 356, i + 420], [0, i + 164, 2*i + 392, 3*i + 684, 4*i + 1040, 5*i + 1460], MPI_BYTE)'
# What is used for the file, or an element of an array, is as it was.
expect_contains "$out" 'MPI_Type_create_struct([1, 2], [0, 32], [MPI_INT, MPI_DOUBLE], [])'

run "$refrain" generate -q "$base/first.rfn" -o kernel
expect_code 0
run make -C kernel
expect_code 0
run "$refrain" record -q -o kernel.rfn -- mpirun -n 3 kernel/mpi_heap_types --root "$base/kernel_run" </dev/null
expect_code 0
run "$refrain" diff "$base/first.rfn" kernel.rfn
expect_code 0
run "$refrain" record -q -o replay.rfn -- mpirun -n 3 "$refrain" replay "$base/first.rfn" --root "$base/replay_run" </dev/null
expect_code 0
run "$refrain" diff "$base/first.rfn" replay.rfn
expect_code 0
size=$(stat -c %s "$base/first.run/heap.dat")
expect_equal "$(stat -c %s "$base/kernel_run/heap.dat")" "$size"
expect_equal "$(stat -c %s "$base/replay_run/heap.dat")" "$size"

# Nothing of it stands in the way of extrapolation.
record_app 2 two
record_app 4 four
record_app 5 five
run "$refrain" extrapolate -q "$base/two.rfn" "$base/first.rfn" "$base/four.rfn" "$base/five.rfn" -o any.rfn
expect_code 0
record_app 7 seven
run "$refrain" diff --ranks 7 any.rfn "$base/seven.rfn"
expect_code 0
