# Ranks that hand an HDF5 file on by messages: kernels and replays, which repeat no messages, take turns with it.
source "$(dirname "$0")/lib.sh"
need mpirun make h5dump "$programs/hdf5_baton"

(mkdir original && cd original && "$refrain" record -q -o ../trace.rfn -- mpirun -n 8 "$programs/hdf5_baton" </dev/null)
run "$refrain" generate trace.rfn -o kernel
expect_code 0
make -s -C kernel CFLAGS='-O1 -Wall -Wextra -Wpedantic -Werror' >"$out" 2>&1 || fail "the kernel can't be built"
for turn in 1 2; do
  expect_repeated 8 hdf5_baton "$turn"
  for folder in "kernel_$turn" "replay_$turn"; do
    expect_equal "$(ls -A "$folder")" "$(ls -A original)"
    expect_equal "$(cd "$folder" && h5dump -H dump_01.h5)" "$(cd original && h5dump -H dump_01.h5)"
  done
done
