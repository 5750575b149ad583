# HDF5 as a static library inside a dynamic program, as h5pcc links it on Debian: `record` says at once that its calls
# can't be seen, and the trace doesn't claim to be complete; linked with the recorder as well, the program is recorded
# as with the shared library. A link that misses the library's functions is said when one of them is called.
source "$(dirname "$0")/lib.sh"
need mpirun mpicc h5pcc.openmpi pkg-config
need_layer mpi hdf5
pkg-config --exists hdf5-openmpi || { echo "skipped: there is no parallel HDF5"; exit 77; }
library=$(pkg-config --libs-only-L hdf5-openmpi | sed 's/^-L//; s/ .*//')/libhdf5.a
[ -f "$library" ] || { echo "skipped: there is no static HDF5"; exit 77; }

source=$source_tree/examples/vpicio.c
read -ra includes < <(pkg-config --cflags hdf5-openmpi)
read -ra shared < <(pkg-config --libs hdf5-openmpi)
# What the library itself needs, as the compiler wrapper of its installation knows.
mapfile -t needed < <(h5pcc.openmpi -show | tr ' ' '\n' | grep '^-l')
build_with() { mpicc -O1 "${includes[@]}" -o "$base/$1" "$source" "${@:2}" -lm 2>"$err" || fail "can't link $1"; }
text_of() {
  run "$refrain" dump --expand --no-times "$1"
  grep -E '^ +(H5|MPI_)' "$out" >"$2"
}

build_with shared "${shared[@]}"
"$refrain" record -q -o shared.rfn -- mpirun -n 2 "$base/shared" >/dev/null
text_of shared.rfn shared.text
expect_matches shared.text '^ +H5Dwrite\('

build_with static "$library" "${needed[@]}"
strip -o "$base/stripped" "$base/static"
for program in static stripped; do
  run "$refrain" record -o bare.rfn -- mpirun -n 2 "$base/$program"
  expect_code 0
  words="$base/$program holds HDF5 as a static library, whose calls can't be seen"
  expect_contains <(head -n 1 "$err") "refrain: $words"
  expect_contains "$err" "refrain: calls are missing: $words"
  run "$refrain" info --json bare.rfn
  expect_contains "$out" '"complete": false'
done

run "$refrain" link-flags --static "$library"
expect_code 0
mapfile -t flags <"$out"
for order in flags_first flags_last; do
  if [ $order = flags_first ]; then
    build_with linked "${flags[@]}" "$library" "${needed[@]}"
  else
    build_with linked "$library" "${needed[@]}" "${flags[@]}"
  fi
  run "$base/linked"
  expect_code 0
  run "$refrain" record -o linked.rfn -- mpirun -n 2 "$base/linked"
  expect_code 0
  expect_lacks "$err" 'static library'
  text_of linked.rfn linked.text
  expect_same shared.text linked.text
done

run "$refrain" link-flags
mapfile -t flags <"$out"
build_with missing "$library" "${needed[@]}" "${flags[@]}"
run "$base/missing"
expect_contains "$err" "is not in this program: name its library to 'refrain link-flags --static' when linking"

run "$refrain" link-flags --static "$source"
expect_refused
expect_contains "$err" 'is not a static library'
run "$refrain" link-flags --static nowhere.a
expect_refused
