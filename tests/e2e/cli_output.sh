# Results go to standard output, and a result that can't be written is an error; a reader that has seen enough is not.
source "$(dirname "$0")/lib.sh"

run "$refrain" api
expect_code 0
cp "$out" listing
expect_matches listing '^posix: [0-9]+ functions'
expect_matches listing 'ssize_t pwrite\(int fd, .*off_t offset\)'

run bash -c '"$0" api >/dev/full' "$refrain"
expect_code 2
expect_lines "$err" 1
expect_contains "$err" 'No space left on device'

run bash -c '"$0" api >&-' "$refrain"
expect_code 2
expect_lines "$err" 1

run bash -c 'set -o pipefail; "$0" api | head -n 1' "$refrain"
expect_lines "$out" 1
expect_empty "$err"
run bash -c 'trap "" PIPE; "$0" api | head -n 1' "$refrain"
expect_code 0
expect_empty "$err"

# The listing as data.
run "$refrain" api --json
expect_code 0
python3 - "$out" <<'PYTHON'
import json, sys
rows = json.load(open(sys.argv[1]))
pwrite = next(r for r in rows if r["name"] == "pwrite")
assert pwrite["layer"] == "posix" and "pwrite64" in pwrite["aliases"], pwrite
assert [a["kind"] for a in pwrite["arguments"]][2:] == ["size", "offset"], pwrite
assert any(r["layer"] == "stdio" and r["name"] == "fwrite" for r in rows)
PYTHON
run "$refrain" api --layer stdio
expect_code 0
expect_lacks "$out" 'pwrite'
expect_contains "$out" 'fwrite'
run "$refrain" api --layer hdf6
expect_refused
