# The library of kernels: everything in it can be read and built, and says where it comes from.
source "$(dirname "$0")/lib.sh"
run "$refrain" kernels list
expect_code 0
expect_lines "$out" $(($(ls "$source_tree"/share/kernels/*.rfn | wc -l) + 1))
expect_matches "$out" '^vpicio +any '
run "$refrain" kernels list --json
expect_code 0
cp "$out" list.json
run python3 -c '
import json, sys
kernels = json.load(open(sys.argv[1]))
assert len(kernels) > 10
for k in kernels:
    assert all(k["fields"].get(f) for f in ("summary", "source", "recorded")), k["name"]
    assert k["description"] and k["bytes"] < 20000, k["name"]
    print(k["name"])' list.json
expect_code 0
cp "$out" names
while read -r name; do
  run "$refrain" kernels build "$name" -o "built/$name"
  expect_code 0
  expect_file "built/$name/Makefile"
  run "$refrain" kernels info "$name"
  expect_code 0
  expect_contains "$out" 'recorded'
done <names
run "$refrain" kernels build vpicoi
expect_refused
expect_contains "$err" "Did you mean 'vpicio'?"
run "$refrain" kernels info ../../x
expect_refused

# No trace tells of the machine that it was made on; names in HDF5 files begin with a slash as well.
while read -r name; do
  run "$refrain" dump --no-times "$("$refrain" kernels path "$name")"
  expect_code 0
  ! grep -v H5 "$out" | grep -oE '"/[^"]*"' | grep -vE '^"/(home/user|dev|proc|etc)/' || fail "$name: paths of a machine"
done <names

need mpirun make cc
[ -x "$examples/checkpoint" ] || exit 0 # no MPI to compile with
run make -s -C built/mdtest
expect_code 0
run mpi 3 built/mdtest/mdtest --root scratch
expect_code 0
expect_contains "$out" '3 ranks'
