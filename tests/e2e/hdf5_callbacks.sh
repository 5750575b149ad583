# Callbacks of iterators count as the application's own calls, on the object that was iterated; the iterator itself is
# no event, and neither is what HDF5 does at exit with a file that was left open.
source "$(dirname "$0")/lib.sh"
need "$programs/h5_callbacks" h5diff

run_both -x '*.h5' "$programs/h5_callbacks"
expect_sound "$base/traced.rfn"
for file in callbacks left_open; do h5diff -q "$base/plain/$file.h5" "$base/traced/$file.h5" || fail "$file.h5 differs"; done
run "$refrain" dump --expand --no-times "$base/traced.rfn"
expect_lacks "$out" 'iterate'
expect_lacks "$out" 'visit'
# Twice three links of a group opened by the iterator, once of one the application opened, three below each again.
expect_calls 3 '^ +H5Oopen\(file0, "(even|odd)", H5P_DEFAULT\) -> group[01]$'
expect_calls 3 '^ +H5Oclose\(group[01]\)$'
expect_calls 12 '^ +H5Dread\(dataset0, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data 32\)$'
expect_calls 3 '^ +H5Aread\(attribute0, H5T_NATIVE_INT, data 4\)$'
expect_calls 6 '^ +H5Oexists_by_name\(file0, "(even|odd)/set[0-2]", H5P_DEFAULT\) -> 1$'
expect_calls 4 '^ +H5Tget_size\(H5T_NATIVE_DOUBLE\) -> 8$'
# The driver for streams registers itself with a function of HDF5, which is not the program's call.
expect_calls 1 '^ +H5Pset_driver\(plist0, H5FD_STDIO, NULL\)$'
expect_calls 1 '^ +H5Pset_driver\(plist0, H5FD_SEC2, NULL\)$'
# Nothing of POSIX is the application's own but its output, and the end of the open file is inside.
expect_calls 0 '^ +(pwrite|pread|open|close)\('
run "$refrain" dump --layer-streams --no-times "$base/traced.rfn"
expect_contains "$out" 'open("left_open.h5", O_RDWR|O_CREAT|O_TRUNC, 0666) -> fd'
expect_matches "$out" '^ +close\(fd'
