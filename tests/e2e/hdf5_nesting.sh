# HDF5 above MPI-IO above POSIX: one call of the application is one outer event, and each layer below has what it did
# in a stream of its own, whatever the driver.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/every_hdf5"

run "$refrain" record -q -o traced.rfn -- mpirun -n 2 "$programs/every_hdf5"
expect_code 0
cp traced.rfn "$base/traced.rfn"
expect_calls 0 '^ +(pwrite|pread|MPI_File_write_at|MPI_File_write_at_all|fwrite)\('
run "$refrain" dump --expand --layer-streams --no-times traced.rfn
for call in 'open("sec2_0.h5", ' 'fopen("stdio_0.h5", ' 'open("core_0.h5", ' 'open("family_0_00.h5", ' \
  'open("split_0-raw.h5", ' 'open("split_0-meta.h5", ' 'open("multi_0-r.h5", ' 'MPI_File_open(' 'H5FDwrite(' \
  'MPI_File_set_view('; do
  expect_contains "$out" "$call"
done

# A layer that is not recorded leaves the calls below it to the application.
run "$refrain" record -q --layers posix -o posix.rfn -- mpirun -n 2 "$programs/every_hdf5"
expect_code 0
cp posix.rfn "$base/traced.rfn"
run "$refrain" dump --expand --no-times posix.rfn
expect_contains "$out" 'open("sec2_0.h5", '
expect_matches "$out" '^ +pwrite\(fd'
expect_lacks "$out" 'H5'
