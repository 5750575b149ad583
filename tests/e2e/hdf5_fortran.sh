# HDF5's Fortran library is recorded as the calls of C that it makes.
source "$(dirname "$0")/lib.sh"
need "$programs/h5_fortran" h5diff

run_both -x '*.h5' "$programs/h5_fortran"
expect_sound "$base/traced.rfn"
h5diff -q "$base/plain/fortran.h5" "$base/traced/fortran.h5" || fail "fortran.h5 differs"
expect_calls 1 '^ +H5Fcreate\("fortran.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT\) -> file0$'
expect_calls 1 '^ +H5Dwrite\(dataset0, type[0-9]+, H5S_ALL, H5S_ALL, H5P_DEFAULT, data 16\)$'
expect_lacks "$out" 'H5FDregister'
expect_lacks "$out" 'invalid'
