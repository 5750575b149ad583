# One offset of one rank that differs between two recordings is found and named.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_offset"

record() {
  prepare_box
  run "$refrain" record -q -o "$base/$1.rfn" -- mpirun -n 4 "$programs/mpi_offset" "${@:2}"
  expect_code 0
  cd "$work"
}

record first 0 0 0
record second 0 0 0
run "$refrain" diff "$base/first.rfn" "$base/second.rfn"
expect_code 0
record moved 2 7 -8
run "$refrain" diff "$base/first.rfn" "$base/moved.rfn"
expect_code 1
# Round 7 of rank 2 is at (7 * 4 + 2) * 64; MPI_Init and MPI_File_open come before the first.
expect_matches "$out" '^different: .*rank 2, event 10.*: MPI_File_write_at, argument 2 \(offset\): 1920 here, 1912 there$'
run "$refrain" diff --json "$base/first.rfn" "$base/moved.rfn"
expect_code 1
python3 - "$out" <<'PYTHON'
import json, sys
difference = json.load(open(sys.argv[1]))["difference"]
assert difference["rank"] == 2 and difference["argument"] == 2, difference
assert [str(v) for v in difference["values"]] == ["1920", "1912"], difference
PYTHON
