# Objects of HDF5 files that were found and only written to: --prepare makes them as large as that needs, and those that
# grew can.
source "$(dirname "$0")/lib.sh"
need make cc "$programs/h5_updater"

run "$refrain" record -q -o "$base/make.rfn" -- "$programs/h5_updater" make
expect_code 0
run "$refrain" record -q -o "$base/app.rfn" -- "$programs/h5_updater"
expect_code 0
expect_empty "$err"

run "$refrain" generate -q "$base/app.rfn" -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run "$refrain" record -q -o kernel.rfn -- kernel/h5_updater --root below --prepare
expect_code 0
run "$refrain" diff --root below "$base/app.rfn" kernel.rfn
expect_code 0

run "$refrain" record -q -o again.rfn -- "$refrain" replay -q --root again --prepare "$base/app.rfn"
expect_code 0
run "$refrain" diff --root again "$base/app.rfn" again.rfn
expect_code 0

# What is made up compresses otherwise, and that is said.
run "$refrain" generate -q "$base/make.rfn" -o made
expect_code 0
expect_contains "$err" 'the program compresses data (H5Pset_deflate): what is written here is made up'
run "$refrain" replay -q --root made_again "$base/make.rfn"
expect_code 0
expect_contains "$err" 'the program compresses data (H5Pset_deflate)'
run "$refrain" generate -q "$base/app.rfn" -o plain
expect_lacks "$err" 'compresses data'
expect_contains "$err" 'the program changes update.h5, which it found'
