# `info --files`, `--by-rank`, `--layers`, `dump --json` and `--json` of commands that write: figures of a real program
# add up, objects of HDF5 stand below their file, and what is said in words is what the program does.
source "$(dirname "$0")/lib.sh"
need python3

# check EXPRESSION  Over `j`, the JSON on the last line, or all of, $out.
check() {
  python3 - "$out" "$1" <<'END' || fail "not true: $1"
import json, sys
text = open(sys.argv[1], errors="replace").read()
try: j = json.loads(text)
except ValueError: j = json.loads(text.strip().splitlines()[-1])
file = lambda path: next(f for f in j["file_table"]["files"] if f["path"] == path)
total = lambda name: sum(f[name] for f in j["file_table"]["files"]) + j["file_table"]["without_file"][name]
def calls(node): return 1 * (node["kind"] == "call") + sum(map(calls, node.get("body", [])))
sys.exit(0 if eval(sys.argv[2]) else 1)
END
}

# One process, ten files in three nested loops; its output is a pipe, or it would be an eleventh.
run bash -c '"$0" record --json -o t.rfn -- "$1" | cat' "$refrain" "$examples/timesteps"
expect_code 0
check 'j["trace"] == "t.rfn" and j["calls"] == 680 and j["exit_code"] == 0 and j["lost"] == 0'
run "$refrain" info --json --files --ranks --layers t.rfn
expect_code 0
check 'len(j["file_table"]["files"]) == 10 and j["file_table"]["complete"]'
check 'all(total(n) == j["outer"][n] for n in ["calls", "bytes_read", "bytes_written"])'
check 'abs(total("time_ns") - j["outer"]["time_ns"]) <= 20'
check 'j["rank_table"]["groups"][0]["calls"] == 680'
check '[l["layer"] for l in j["layer_table"]] == ["posix"] and j["layer_table"][0]["inside"]["calls"] == 0'
run "$refrain" info --files t.rfn
expect_matches "$out" '^ckpt_0000.dat +1 process +68 '
run "$refrain" info t.rfn --ranks
expect_contains "$out" "rank, each"
run "$refrain" info --ranks 0 t.rfn
expect_refused
run "$refrain" info --files
expect_refused
run "$refrain" dump --json t.rfn
expect_code 0
check 'sum(map(calls, j["processes"][0]["streams"][0]["body"])) == '"$("$refrain" dump --no-times t.rfn | grep -c '(fd\|open(')"
run "$refrain" dump --json --expand t.rfn
expect_refused
run "$refrain" generate --json -o kernel t.rfn
expect_code 0
check 'j["program"] == "timesteps.c" and {f["name"] for f in j["files"]} >= {"timesteps.c", "Makefile"}'

# Ranks with the same counts stand in one row, wherever they are; what the trace has no times of is left blank.
run "$refrain" info --json --by-rank --ranks 64 "$source_tree/share/kernels/flash-io.rfn"
expect_code 0
check '[(g["ranks"], g["count"]) for g in j["rank_table"]["groups"]] == [("0..63 step 3", 22), ("1..61 step 3", 21), ("2..62 step 3", 21)]'
check 'sum(g["count"] * g["bytes_written"] for g in j["rank_table"]["groups"]) == j["outer"]["bytes_written"]'
run "$refrain" info --ranks 64 "$source_tree/share/kernels/flash-io.rfn"
expect_matches "$out" '^calls +14,912, folded into '
expect_lacks "$out" '0 ns'
# A law of the elapsed time that is negative at many ranks.
run "$refrain" info --json --ranks 4096 "$source_tree/share/kernels/h5bench-write-3d.rfn"
check 'j["span_ns"] * 4096 >= j["outer"]["time_ns"]'

command -v mpirun >/dev/null && [ -x "$examples/vpicio" ] || exit 0

# A shared HDF5 file: one file, in which groups and datasets stand.
run "$refrain" record -q --json -o v.rfn -- mpirun -n 4 "$examples/vpicio"
expect_code 0
check 'j["ranks"] == 4'
run "$refrain" info --json --files --by-rank --layers v.rfn
expect_code 0
check 'j["files"] == ["vpic.h5part"]'
check 'all(total(n) == j["outer"][n] for n in ["calls", "bytes_read", "bytes_written"])'
check 'file("vpic.h5part")["ranks"] == "0..3" and file("vpic.h5part")["opens"] == file("vpic.h5part")["closes"] == 5'
check 'all(o["opens"] == o["closes"] > 0 for o in file("vpic.h5part")["objects"])'
check '{o["name"] for o in file("vpic.h5part")["objects"]} >= {"Step#0", "Step#0/x", "Step#3/id"}'
run "$refrain" info v.rfn
[ "$(grep -c '^MPI_Init ' "$out")" = 1 ] || fail "the program's own call is listed as one inside a library"
expect_contains "$out" "inside: mpiio"
run "$refrain" info --json --files --by-rank --layers v.rfn
check 'file("vpic.h5part")["layers"]["posix"]["bytes_written"] >= file("vpic.h5part")["bytes_written"]'
check 'file("vpic.h5part")["write_pattern"] == "32 datasets: each rank a block of 8,192 of 32,768 elements (32 KiB), one behind the other"'
check '[l["layer"] for l in j["layer_table"]][0] == "hdf5" and [l["layer"] for l in j["layer_table"]][-1] == "posix"'
check 'j["layer_table"][-1]["program"]["calls"] == 0 and j["layer_table"][-1]["inside"]["calls"] > 0'
check 'sum(g["count"] * g["calls"] for g in j["rank_table"]["groups"]) == j["outer"]["calls"]'

# Times of one rank are averages over all, and said to be so.
run "$refrain" dump --rank 2 v.rfn
expect_code 0
expect_contains "$out" 'note "times are estimates: averages over the ranks that made the same calls"'
expect_matches "$out" 'H5Fcreate.* # about 1x gap .* call '
run "$refrain" dump --rank 2 --no-times v.rfn
expect_lacks "$out" 'estimates'
expect_lacks "$out" ' # '

run "$refrain" merge --json v.rfn -o again.rfn
expect_code 0
check 'j["trace"] == "again.rfn" and j["ranks"] == 4 and j["damaged"] == []'
