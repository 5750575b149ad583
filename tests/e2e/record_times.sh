# Times are nanoseconds of the system's clock, whatever the processor's counter counts and however the process ends:
# a gap is no shorter than the program slept, and no longer than the program itself saw pass.
source "$(dirname "$0")/lib.sh"

for ending in '' killed; do
  run "$refrain" record -q -o traced.rfn -- "$programs/timed" $ending
  cp "$out" passed
  run "$refrain" dump traced.rfn
  expect_code 0
  cp "$out" dump
  run python3 - dump passed <<'CHECK'
import re, sys
text, passed = open(sys.argv[1]).read(), int(open(sys.argv[2]).read())
units = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
gap, unit = re.search(r" write\(fd\d, data, 1\) .*gap ([0-9.]+)(ns|us|ms|s) ", text).groups()
gap = float(gap) * units[unit]
assert 0.98 * 60e6 <= gap <= 1.02 * passed, (gap, passed)
CHECK
  expect_code 0
done

# A call that only copies into the buffer of its stream may be taken to last as long as others; one that empties or fills
# the buffer is timed, each of them.
run "$refrain" record -q -o slow.rfn -- "$programs/slow_stream"
expect_code 0
cp "$out" passed
run "$refrain" info --json slow.rfn
expect_code 0
cp "$out" info
run python3 - info passed <<'CHECK'
import json, sys
functions = {f["function"]: f for f in json.load(open(sys.argv[1]))["outer"]["functions"]}
for name, slow in zip(("fwrite", "fread"), map(int, open(sys.argv[2]).read().split())):
    assert slow >= 20, (name, slow)
    assert functions[name]["time_ns"] >= 0.98 * slow * 3e6, (name, slow, functions[name])
CHECK
expect_code 0
