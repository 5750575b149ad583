# Ranks hand an HDF5 file on, several times, in the order of their numbers and in the opposite one: kernels and replays
# keep the recorded order, so files have the same sizes and everything in them lies where it did. Files that all ranks
# open together, through MPI-IO, change nothing about that.
source "$(dirname "$0")/lib.sh"
need mpirun make h5dump "$programs/hdf5_handed_on"

places() { (cd "$1" && h5dump -p -H dump_0.h5 && h5dump -p -H dump_1.h5); }
expect_same_layout() {
  places "$1" >"$base/places"
  expect_same "$base/expected" "$base/places"
  expect_equal "$(cd "$1" && stat -c '%n %s' *)" "$(cd "original_$order" && stat -c '%n %s' *)"
  expect_equal "$(ls -A "$1")" "$(ls -A "original_$order")"
}

for order in "" down beside; do
  mkdir "original_$order"
  (cd "original_$order" && "$refrain" record -q -o ../trace.rfn -- mpirun -n 8 "$programs/hdf5_handed_on" $order </dev/null)
  places "original_$order" >"$base/expected"
  rm -rf kernel
  run "$refrain" generate -q trace.rfn -o kernel
  expect_code 0
  expect_empty "$err"
  make -s -C kernel CFLAGS='-O1 -Wall -Wextra -Wpedantic -Werror' >"$out" 2>&1 || fail "the kernel can't be built"
  expect_repeated 8 hdf5_handed_on "$order"
  expect_same_layout "kernel_$order"
  expect_same_layout "replay_$order"
done

# The same once more without tidying up: rounds of a repeated run don't get into each other's way.
run mpi 8 kernel/hdf5_handed_on --root again --repeat 2
expect_code 0
expect_empty "$err"
expect_same_layout again

# Ranks that add to a file which was there before take turns as well.
cp -r original_ found
(cd found && "$refrain" record -q -o ../trace.rfn -- mpirun -n 8 "$programs/hdf5_handed_on" more </dev/null)
rm -rf kernel
run "$refrain" generate -q trace.rfn -o kernel
expect_code 0
expect_matches "$err" '^refrain: the program changes dump_0.h5, which it found'
make -s -C kernel CFLAGS='-O1 -Wall -Wextra -Wpedantic -Werror' >"$out" 2>&1 || fail "the kernel can't be built"
run "$refrain" record -q -o kernel.rfn -- mpirun -n 8 kernel/hdf5_handed_on --root kernel_more --prepare </dev/null
expect_code 0
run "$refrain" diff trace.rfn kernel.rfn
expect_code 0
run mpi 8 "$refrain" replay -q --prepare --root replay_more --record replay.rfn trace.rfn
expect_code 0
run "$refrain" diff trace.rfn replay.rfn
expect_code 0
