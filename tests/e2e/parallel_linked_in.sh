# The recorder linked into a program with MPI and HDF5, and not preloaded, records the calls of these libraries that a
# preloaded one records. (It doesn't see what other libraries call.)
source "$(dirname "$0")/lib.sh"
need mpirun mpicc pkg-config
need_layer mpi hdf5
pkg-config --exists hdf5-openmpi || { echo "skipped: there is no parallel HDF5"; exit 77; }

mapfile -t flags < <("$refrain" link-flags)
read -ra hdf5 < <(pkg-config --cflags --libs hdf5-openmpi)
expect_text() {
  run "$refrain" dump --expand --no-times "$1"
  expect_code 0
  grep -E '^ +(H5|MPI_)' "$out" >"$2"
}

# same_linked_in NAME RANKS SOURCE OPTION...
same_linked_in() {
  mpicc -O1 "${@:4}" -o "$base/$1" "$3" "${hdf5[@]}" -lm 2>"$err" || fail "can't build $3"
  prepare_box
  run "$refrain" record -q -o "$base/preloaded.rfn" -- mpirun -n "$2" "$base/$1"
  expect_code 0
  keep_box preloaded
  expect_text "$base/preloaded.rfn" "$base/preloaded.text"
  mpicc -O1 "${@:4}" -o "$base/$1" "$3" "${hdf5[@]}" -lm "${flags[@]}" 2>"$err" || fail "can't link $3"
  prepare_box
  run "$base/$1" </dev/null
  expect_code 0
  keep_box alone
  prepare_box
  run "$refrain" record -q -o "$base/linked.rfn" -- env -u LD_PRELOAD mpirun -n "$2" "$base/$1"
  expect_code 0
  keep_box linked
  expect_same "$base/preloaded.stdout" "$base/linked.stdout"
  expect_text "$base/linked.rfn" "$base/linked.text"
  expect_same "$base/preloaded.text" "$base/linked.text"
}

same_linked_in vpicio 2 "$source_tree/examples/vpicio.c" -fPIE -pie
expect_matches "$base/linked.text" '^ +H5Dwrite\('
same_linked_in vpicio 2 "$source_tree/examples/vpicio.c" -fno-pie -no-pie
expect_matches "$base/linked.text" '^ +H5Dwrite\('
