# The application comes first: the public functions of HDF5, on several ranks and with the serial library from the
# same recorder; results, errors, output and files as ever, and every function that has a row is recorded.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/every_hdf5" "$programs/every_hdf5_serial" h5diff

# Objects carry the time of their creation, so files are compared by content, as far as h5diff can read it: there are
# filters and links of the program's own.
expect_same_contents() {
  local file differs
  for file in "$base"/plain/{every,target,properties,sec2,stdio,core,child}_*.h5; do
    [ -e "$file" ] || continue
    differs=0
    h5diff -q "$file" "$base/traced/$(basename "$file")" >/dev/null 2>&1 || differs=$?
    [ "$differs" -ne 1 ] || fail "$(basename "$file") differs"
    expect_equal "$(stat -c %s "$file")" "$(stat -c %s "$base/traced/$(basename "$file")")"
  done
}

# Whatever the program imports and has a row stands in the trace.
expect_all_recorded() {
  run "$refrain" dump --expand --layer-streams --no-times "$base/traced.rfn"
  expect_code 0
  cp "$out" "$base/text"
  grep -oE '^ +H5[A-Za-z_0-9]+\(' "$base/text" | tr -d ' (' | sort -u >"$base/recorded"
  nm -D --undefined-only "$1" | grep -oE '\bH5[A-Za-z_0-9]+' | sort -u >"$base/imported"
  "$refrain" api --layer hdf5 | grep -oE '\bH5[A-Za-z_0-9]+\(' | tr -d '(' | sort -u >"$base/rows"
  comm -12 "$base/imported" "$base/rows" | comm -23 - "$base/recorded" >"$base/unseen"
  [ ! -s "$base/unseen" ] || fail "not recorded: $(tr '\n' ' ' <"$base/unseen")"
  [ "$(comm -12 "$base/imported" "$base/rows" | wc -l)" -gt 300 ] || fail "the program calls too little"
}

run_both -x '*.h5' mpirun -n 2 "$programs/every_hdf5"
expect_sound "$base/traced.rfn"
expect_same_contents
expect_all_recorded "$programs/every_hdf5"
while read -r line; do expect_contains "$base/text" "  $line"; done <<'END'
H5Pset_alignment(plist1, 4096, 512)
H5Pset_cache(plist1, 0, 521, 1048576, 0.5)
H5Pset_libver_bounds(plist1, H5F_LIBVER_V18, H5F_LIBVER_V110)
H5Pset_link_creation_order(plist0, H5P_CRT_ORDER_TRACKED|H5P_CRT_ORDER_INDEXED)
H5Fcreate("properties_0.h5", H5F_ACC_TRUNC, plist0, plist1) -> file0
H5Dwrite(dataset0, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data 96)
H5Fopen("there is no such file", H5F_ACC_RDONLY, H5P_DEFAULT) -> H5E_CANTOPENFILE
H5Gopen2(file0, "groups/nothing", H5P_DEFAULT) -> H5E_NOTFOUND
H5Pset_driver(plist0, H5FD_SEC2, NULL)
H5Pset_fapl_split(plist0, "-meta.h5", H5P_DEFAULT, "-raw.h5", H5P_DEFAULT)
H5Tset_size(type0, H5T_VARIABLE)
H5Pset_fapl_mpio(plist0, MPI_COMM_WORLD, info0)
END
expect_matches "$base/text" 'H5Screate_simple\([0-9], \[[0-9, ]+\], \[.*H5S_UNLIMITED.*\]\) -> space'
expect_matches "$base/text" 'H5Sselect_hyperslab\(space[0-9], H5S_SELECT_SET, \[[0-9, ]+\], (NULL|\[[0-9, ]+\]), \[[0-9, ]+\], (NULL|\[[0-9, ]+\])\)'
expect_matches "$base/text" 'H5Sselect_elements\(space[0-9], H5S_SELECT_SET, [0-9]+, \[[0-9, ]+\]\)'
expect_matches "$base/text" 'H5Tinsert\(type[0-9], "[a-z]+", [0-9]+, (H5T_NATIVE_[A-Z]+|type[0-9])\)'
expect_matches "$base/text" 'H5Tenum_insert\(type[0-9], "[^"]+", -?[0-9]+\)'
expect_matches "$base/text" 'H5Pset_chunk\(plist[0-9], [0-9], \[[0-9, ]+\]\)'
expect_matches "$base/text" 'H5Dset_extent\(dataset[0-9], \[[0-9, ]+\]\)'
expect_lacks "$base/text" 'unknown'
expect_lacks "$base/text" 'errorstack'  # such stacks are the program's own: HDF5 puts nothing there

# The same recorder in a program with the serial library.
run_both -x '*.h5' "$programs/every_hdf5_serial"
expect_sound "$base/traced.rfn"
expect_same_contents
expect_all_recorded "$programs/every_hdf5_serial"
