# Below the calls of a netCDF-4 program are the HDF5 calls that the netCDF library makes; its file stays the same.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/netcdf_write" h5diff
works mpi 2 "$programs/netcdf_write" || { echo "skipped: this netCDF makes no files in parallel"; exit 77; }

run_both -x '*.nc' mpirun -n 3 "$programs/netcdf_write"
expect_sound "$base/traced.rfn"
h5diff -q "$base/plain/written.nc" "$base/traced/written.nc" || fail "written.nc differs"
run "$refrain" dump --expand --layer-streams --no-times "$base/traced.rfn"
expect_code 0
expect_equal "$(grep -cE '^ +H5Fcreate\("written.nc", H5F_ACC_TRUNC, plist[0-9], plist[0-9]\) -> file0$' "$out")" 3
expect_matches "$out" '^ +H5Fclose\(file0\)$'
expect_matches "$out" '^ +H5Dset_extent\(dataset[0-9], \[[0-9, ]+\]\)$'
expect_matches "$out" '^ +H5Sselect_hyperslab\(space[0-9], H5S_SELECT_SET, \['
expect_matches "$out" '^ +H5Dwrite\(dataset[0-9], [A-Za-z0-9_]+, space[0-9], space[0-9], plist[0-9], data [0-9]+\)$'
