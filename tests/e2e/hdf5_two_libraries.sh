# Two HDF5 libraries in one process: each call reaches the one that its caller was linked with. The first is recorded.
source "$(dirname "$0")/lib.sh"
need "$programs/h5_two_libraries" h5diff
[ -e "$programs/h5_second.so" ] || { echo "skipped: there is no h5_second.so"; exit 77; }

run_both -x '*.h5' "$programs/h5_two_libraries" "$programs/h5_second.so"
expect_code 0
expect_contains "$base/traced.stdout" 'second.h5: 2 links'
for file in before second after held; do
  h5diff -q "$base/plain/$file.h5" "$base/traced/$file.h5" || fail "$file.h5 differs"
done
expect_sound "$base/traced.rfn"
expect_calls 3 '^ +H5Fcreate\("(before|held|after).h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT\) -> file0$'
expect_calls 0 'H5Fcreate\("second.h5"'
expect_calls 2 '^ +H5Dwrite\(dataset0, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data 24\)$'
