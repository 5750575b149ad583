# Recording twice gives equal traces; a program that does something else gives a difference that is named.
source "$(dirname "$0")/lib.sh"

record() {
  mkdir -p box
  (cd box && "$refrain" record -q -o "../$1" -- "${@:2}") >/dev/null
  rm -rf box
}

for example in amr logger threads timesteps; do
  record a.rfn "$examples/$example"
  record b.rfn "$examples/$example"
  run "$refrain" diff --all a.rfn b.rfn
  expect_code 0
  expect_matches "$out" '^equal: '
done

# The number of bytes that cp copies shows up in the first call that tells it.
head -c 300000 /dev/zero >large
head -c 300001 /dev/zero >larger
record a.rfn cp ../large copy
record b.rfn cp ../large copy
run "$refrain" diff a.rfn b.rfn
expect_code 0
record c.rfn cp ../larger copy
run "$refrain" diff a.rfn c.rfn
expect_code 1
expect_lines "$out" 4
expect_matches "$out" '^different: process 0, event [0-9]+.*\(path\): "../large" here, "../larger" there$'

mv larger moved && cp large original && cp moved large
record d.rfn cp ../large copy
run "$refrain" diff a.rfn d.rfn
expect_code 1
expect_matches "$out" '^different: process 0, event [0-9]+.*result: [0-9]+ here, [0-9]+ there$'
run "$refrain" diff --json a.rfn d.rfn
expect_code 1
python3 - "$out" <<'PYTHON'
import json, sys
answer = json.load(open(sys.argv[1]))
difference = answer["difference"]
assert not answer["equal"] and difference["kind"] == "result", answer
assert difference["values"][0] != difference["values"][1], answer
assert all("(" in call for call in difference["calls"]), answer
PYTHON

# Counters tell the difference in size, and nothing but equality of what is equal.
run "$refrain" diff --counters a.rfn b.rfn
expect_code 0
run "$refrain" diff --counters a.rfn d.rfn
expect_code 1
expect_matches "$out" '^  posix bytes .* +300,000 +300,001$'
dd if=/dev/zero of=twice bs=1000 count=10 2>/dev/null
"$refrain" record -q -o dd.rfn -- dd if=twice of=out bs=500 2>/dev/null
run "$refrain" info --counters --json dd.rfn
python3 - "$out" <<'PYTHON'
import json, sys
posix = json.load(open(sys.argv[1]))["accesses"]["outer"]["posix"]
writes = posix["writes"]
assert (writes["accesses"], writes["sequential"], writes["consecutive"]) == (20, 19, 19), writes
assert writes["sizes"]["100-1K"] == 20, writes
PYTHON

# An absolute path is as good as the relative one that a replay makes of it, or as one below its root.
here=$(pwd -P)
record e.rfn cat "$here/original"
mkdir -p "root$here" && cp original "root$here/original"
(cd root && "$refrain" record -q -o ../f.rfn -- cat "${here#/}/original") >/dev/null
run "$refrain" diff e.rfn f.rfn
expect_code 0
(cd root && "$refrain" record -q -o ../g.rfn -- cat "$here/root$here/original") >/dev/null
run "$refrain" diff e.rfn g.rfn
expect_code 1
run "$refrain" diff --root root e.rfn g.rfn
expect_code 0
