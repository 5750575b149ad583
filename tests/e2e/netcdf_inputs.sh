# Files that a program with netCDF-C only reads: those of the classic formats are made with the layout that the library
# gives them, so that the system calls below are the same; netCDF-4 files have to be copied.
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

# What a netCDF-4 file holds is not in the trace: it has to be copied, and nothing is made in its place.
"$programs/netcdf_inputs" make4
run "$refrain" record -q -o read4.rfn -- "$programs/netcdf_inputs" read4
expect_code 0
run "$refrain" generate -q read4.rfn -o kernel4
expect_code 0
expect_contains "$err" "copy below --root what --prepare can't make: four.nc (netCDF-4"
run make -s -C kernel4 CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run kernel4/netcdf_inputs --root below4 --prepare
expect_code 1
expect_contains "$err" "four.nc: this netCDF file can't be made"
run "$refrain" replay -q --root again4 --prepare read4.rfn
[ "$code" != 0 ] || fail "the replay made four.nc"
expect_contains "$err" "four.nc: this netCDF file can't be made"
for root in below4 again4; do
  [ ! -e "$root/four.nc" ] || fail "$root/four.nc was made"
  mkdir -p "$root"
  cp four.nc "$root"
done
run "$refrain" record -q -o kernel4.rfn -- kernel4/netcdf_inputs --root below4 --prepare
expect_code 0
run "$refrain" diff --root below4 read4.rfn kernel4.rfn
expect_code 0
run "$refrain" replay -q --root again4 --prepare --record replay4.rfn read4.rfn
expect_code 0
run "$refrain" diff --root again4 read4.rfn replay4.rfn
expect_code 0
