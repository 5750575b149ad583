# An independent witness: strace sees what the kernel is asked to do, call by call; the trace must say the same of every
# file. Programs whose calls go straight to the kernel, not through stdio's buffers.
source "$(dirname "$0")/lib.sh"

strace -o "$base/strace" true 2>/dev/null || { echo "skipped: strace is missing or not permitted to trace"; exit 77; }
prepare() {
  mkdir folder
  head -c 300000 /dev/urandom >large
  printf 'a little\n' >folder/small
  : >folder/empty
}

# witness [COUNT] COMMAND...  Both see at least COUNT calls, and the same ones.
witness() {
  local least=$1
  shift
  prepare_box
  run strace -f -y -s 64 -e 'trace=%desc,%file' -o "$base/strace" "$@"
  expect_code 0
  prepare_box
  rm -f "$base/traced.rfn"
  run "$refrain" record -q -o "$base/traced.rfn" -- "$@"
  expect_code 0
  run "$refrain" dump --expand --no-times "$base/traced.rfn"
  cp "$out" "$base/dump"
  run python3 "$source_tree/tests/e2e/witness.py" "$base/dump" "$base/strace" "$base/box"
  expect_code 0
  [ "$(sed -n 's/.* files, \([0-9]*\) calls/\1/p' "$out")" -ge "$least" ] || fail "too little to compare"
}

witness 400 "$programs/witnessed"
witness 600 "$examples/timesteps"
witness 50 "$examples/amr"
witness 5 cp large copy
witness 5 cp -r folder other
witness 70 dd if=large of=copy bs=9k
witness 10 dd if=large of=copy bs=16k skip=3 seek=7 count=5 conv=notrunc,fsync
witness 30 tar -cf archive.tar large folder
witness 5 cat large folder/small
witness 10 sh -c 'exec cat large folder/small >joined'
witness 2 truncate -s 5000 large

# The witness itself can tell: one byte, one call, one file less is noticed.
witness 70 dd if=large of=copy bs=9k
for change in 's/9216) -> 9216$/9216) -> 9215/' '0,/  read(.*/{//d}' '/"large"/d'; do
  sed "$change" "$base/dump" >"$base/changed"
  run python3 "$source_tree/tests/e2e/witness.py" "$base/changed" "$base/strace" "$base/box"
  expect_code 1
done
