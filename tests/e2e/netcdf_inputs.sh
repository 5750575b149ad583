# Files that a program with netCDF-C only reads: those of the classic formats are made with the layout that the library
# gives them, so that the system calls below are the same.
source "$(dirname "$0")/lib.sh"
need make "$programs/netcdf_inputs"
need_layer netcdf

"$programs/netcdf_inputs" make
run "$refrain" record -q -o read.rfn -- "$programs/netcdf_inputs"
expect_code 0
run "$refrain" generate -q read.rfn -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run "$refrain" record -q -o kernel.rfn -- kernel/netcdf_inputs --root below --prepare
expect_code 0
run "$refrain" diff --root below read.rfn kernel.rfn
expect_code 0
run "$refrain" replay -q --root again --prepare read.rfn
expect_code 0
for file in one two five single1 single2 single5; do
  cmp "$file.nc" "below/$file.nc" || fail "the kernel makes another $file.nc"
  cmp "$file.nc" "again/$file.nc" || fail "the replay makes another $file.nc"
done
