# docs/trace-json.md names every member that commands print as JSON, and the members that it lists for the tree exist.
source "$(dirname "$0")/lib.sh"
need python3

run "$refrain" record -q --json -o t.rfn -- "$examples/timesteps"
expect_code 0
tail -n 1 "$out" >record.json
"$refrain" merge --json t.rfn -o merged.rfn >merge.json
"$refrain" generate --json t.rfn -o kernel >generate.json
all_tables=(--files --by-rank --layers --counters --heat-map)
traces=(t.rfn "$golden"/v*.rfn)
if command -v mpirun >/dev/null && [ -x "$examples/jacobi" ]; then # communicates
  run "$refrain" record -q -o jacobi.rfn -- mpirun -n 2 "$examples/jacobi"
  expect_code 0
  traces+=(jacobi.rfn)
fi
for trace in "${traces[@]}"; do
  name=$(basename "$trace")
  "$refrain" dump --json --layer-streams "$trace" >"dump_$name.json"
  if grep -q '"scale_free": *true' "dump_$name.json"; then
    "$refrain" info --json "$trace" >"info_$name.json" 2>/dev/null
  else
    "$refrain" info --json "${all_tables[@]}" "$trace" >"info_$name.json"
  fi
done

cat >check.py <<'PYTHON'
import glob, json, re, sys
text = open(sys.argv[1]).read()
tree, totals = text.split("\n## Totals")
named = set(re.findall(r"`([a-z_]+)`", text))
# Members of these are called after layers and classes of sizes.
free = {"layer_streams", "sizes", "layers"}
def members(json_value, inside=""):
    if isinstance(json_value, list):
        for v in json_value: yield from members(v, inside)
    elif isinstance(json_value, dict):
        for key, v in json_value.items():
            if inside in free or (inside == "outer" and not isinstance(v, (int, list))): yield from members(v)
            else: yield key; yield from members(v, key)
found = {kind: set() for kind in ("dump", "info", "record", "merge", "generate")}
for name in glob.glob("*.json"):
    found[re.match("[a-z]+", name)[0]].update(members(json.load(open(name, errors="replace"))))
for kind, names in found.items():
    assert names, kind
    assert names <= named, f"{kind} --json has members that {sys.argv[1]} doesn't name: {sorted(names - named)}"
listed = {name for row in re.findall(r"(?m)^\| (`.*?) \|", tree) for name in re.findall(r"`([a-z_]+)`", row)}
if not glob.glob("dump_jacobi*"): listed -= {"communication_ns"}
assert len(listed) > 20 and not listed - found["dump"], sorted(listed - found["dump"])
PYTHON
run python3 check.py "$source_tree/docs/trace-json.md"
expect_code 0
