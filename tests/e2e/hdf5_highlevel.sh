# Calls of HDF5's high-level library are recorded as the calls of HDF5 that it makes.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/h5lite" h5diff

run_both -x '*.h5' mpirun -n 2 "$programs/h5lite"
expect_sound "$base/traced.rfn"
h5diff -q "$base/plain/lite_0.h5" "$base/traced/lite_0.h5" || fail "lite_0.h5 differs"
expect_calls 1 '^ +H5Fcreate\("lite_0.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT\) -> file0$'
expect_contains "$out" 'H5Dcreate2(file0, "numbers", H5T_NATIVE_INT, space0, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) -> dataset0'
expect_contains "$out" 'H5Dwrite(dataset0, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data 96)'
expect_calls 2 '^ +H5Fclose\(file0\)$'
expect_lacks "$out" 'H5LT'
