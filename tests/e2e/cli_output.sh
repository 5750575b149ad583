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

# What a command writes replaces a file, goes through a symbolic link, and into a pipe or a device, which stays.
trace=$golden/v2.rfn
writes() { # OUTPUT: every command that writes a single file
  ! "$refrain" report --help >/dev/null 2>&1 || echo "report $trace -o $1"  # built with reports
  printf '%s\n' "export --to perfetto $trace -o $1" "export --to ior $trace -o $1" \
    "import --from csv tables -o $1" "merge $trace $trace -o $1"
}
"$refrain" export -q --to csv "$trace" -o tables 2>/dev/null
mkdir place
while read -r -a words; do
  rm -f place/*
  ln -s target place/link
  run "$refrain" "${words[@]}"
  expect_code 0
  [ -L place/link ] && [ -s place/target ] || fail "the link was not followed"
  expect_equal "$(find place -type f | wc -l)" 1
done < <(writes place/link)
while read -r -a words; do
  rm -f place/*
  mkfifo place/pipe
  cat place/pipe >copy &
  run timeout 60 "$refrain" "${words[@]}"
  expect_code 0
  wait
  [ -p place/pipe ] && [ -s copy ] || fail "the pipe was not written"
  expect_equal "$(find place -type f | wc -l)" 0
done < <(writes place/pipe)
rm -f place/*
if mknod place/null c 1 3 2>/dev/null && true 2>/dev/null >place/null; then
  while read -r -a words; do
    run "$refrain" "${words[@]}"
    expect_code 0
    [ -c place/null ] || fail "the device was replaced"
    expect_equal "$(find place -type f | wc -l)" 0
  done < <(writes place/null)
fi

# Nothing makes the folders above what it writes.
for format in csv codes sqlite perfetto; do
  run "$refrain" export --to "$format" "$trace" -o no/such/place
  expect_refused
  expect_no_file no
done
