# When I/O happened: the heat map has the bytes of the program's own calls, each once, at the time when they moved, for
# every rank, however the processes end and whichever way their parts are merged.
source "$(dirname "$0")/lib.sh"

# check TRACE PYTHON...  Statements about `heat`, the map by rank, and `info`, all of it.
check() {
  run "$refrain" info --json --heat-map "$1"
  expect_code 0
  cp "$out" info.json
  run python3 - info.json "${@:2}" <<'CHECK'
import json, sys
info = json.load(open(sys.argv[1]))
heat = info["heat_map"]
def cells(kind, row=None):
    return [c for r in heat["rows"] if row is None or r is heat["rows"][row] for c in r["cells"] if c[1] == kind]
def bytes_of(kind, row=None):
    return sum(c[2] for c in cells(kind, row))
def check_sums():
    for kind, total in (("read", "bytes_read"), ("written", "bytes_written")):
        assert bytes_of(kind) == info["outer"][total], (kind, bytes_of(kind), info["outer"][total])
        assert sum(heat["over_time"][kind]["bytes"]) == bytes_of(kind), kind
    assert len(heat["over_time"]["other"]["time_ns"]) == heat["bins"] <= 256
for statement in sys.argv[2:]:
    exec(statement)
CHECK
  expect_code 0
}

# Two bytes with 60 ms between them, by a process that ends and by one that is killed.
for ending in '' killed; do
  run "$refrain" record -q -o traced.rfn -- "$programs/timed" $ending
  passed=$(cat "$out")
  check traced.rfn 'check_sums()' "passed = $passed" '
moved = [c for c in cells("written") if c[2] > 0]
first, last = moved[0], moved[-1]  # what it prints comes right behind the last byte
apart = (last[0] - first[0]) * heat["bin_ns"]
assert first[2] == 1 and abs(apart - passed) < 2 * heat["bin_ns"] + 10e6, (apart, passed)' \
    'assert len(heat["rows"]) == 1 and "first_rank" not in heat["rows"][0]'
done
run "$refrain" info traced.rfn
expect_matches "$out" '^over time, .* in columns of '
expect_matches "$out" '^written +\|.+ +.+\| [0-9]+ B in '

# It can be left out, and extrapolated traces, slices and older files have none.
run "$refrain" record -q --no-heat-map -o without.rfn -- "$programs/timed"
check without.rfn 'assert heat is None'
run "$refrain" diff traced.rfn without.rfn
expect_code 0
run "$refrain" info without.rfn
expect_lacks "$out" 'over time'
run "$refrain" slice -q --above 0 -o slice.rfn traced.rfn
expect_code 0
check slice.rfn 'assert heat is None'
check "$golden/v10.rfn" 'assert heat is None'
check "$golden/v11.rfn" 'assert len(heat["rows"]) == 11'

# Ranks have a row each. Bytes count once where HDF5 calls MPI-IO and that the system.
command -v mpirun >/dev/null && [ -x "$examples/vpicio" ] || exit 0
for merged in auto never; do
  run env REFRAIN_IN_PLACE=$merged "$refrain" record -q -o ranks.rfn -- mpirun -n 4 "$examples/vpicio"
  expect_code 0
  check ranks.rfn 'check_sums()' 'assert info["outer"]["bytes_written"] > 0 and info["layer_streams"]' \
    'rows = [r for r in heat["rows"] if "first_rank" in r]' \
    'assert [r["first_rank"] for r in rows] == [0, 1, 2, 3] and all(r["first_rank"] == r["last_rank"] for r in rows)'
done
run "$refrain" info --heat-map ranks.rfn
expect_matches "$out" '^3 +\|'
