# The application comes first: no room for the trace, before or during the run, and folders that go away or can't be
# written. The program is not affected; what was lost is counted.
if [ -z "${REFRAIN_OWN_MOUNTS:-}" ]; then
  unshare --mount true 2>/dev/null || { echo "skipped: mounting a small disk needs root"; exit 77; }
  REFRAIN_OWN_MOUNTS=yes exec unshare --mount bash "$0"
fi
source "$(dirname "$0")/lib.sh"
trap 'cd /; umount "$base/disk"; rm -rf "$base"' EXIT
mkdir "$base/disk"
mount -t tmpfs -o size=1m none "$base/disk"
program=("$programs/sudden_end" return)

# unaffected COUNT COMMAND...  The command, run in a box, leaves what the program alone leaves and prints.
unaffected() {
  local count=$1
  shift
  prepare_box
  run "${program[@]}" "$count"
  keep_box plain
  prepare_box
  run "$@" "${program[@]}" "$count"
  keep_box traced
  expect_same "$base/plain.stdout" "$base/traced.stdout"
  diff -r "$base/plain" "$base/traced" >&2 || fail "files differ"
}

# Full in the middle, a little and thoroughly: the trace does not fit either, but the parts lead to one elsewhere.
for count in 60000 800000; do
  unaffected $count "$refrain" record -q -o "$base/disk/t.rfn" --
  expect_code 2
  expect_contains "$err" 'No space left on device'
  expect_contains "$err" "refrain merge $base/disk/t.rfn.parts"
  expect_no_file "$base/disk/t.rfn"
  run "$refrain" merge "$base/disk/t.rfn.parts" -o "$base/traced.rfn"
  expect_code 0
  expect_contains "$err" 'calls lost'
  run "$refrain" info "$base/traced.rfn"
  expect_matches "$out" 'process 0 LOST [0-9,]+ calls: [0-9]+ for lack of space'
  # Recorded and lost add up to what a recording with room has.
  run "$refrain" record -q -o "$base/whole.rfn" -- "${program[@]}" $count
  rm -f "$work"/step_* "$work"/data
  made=$(info "trace['outer']['calls'] + $calls_lost")
  run "$refrain" info --json "$base/whole.rfn"
  expect_contains "$out" "\"calls\": $made,"
  rm -r "$base/disk/t.rfn.parts"
done

# Full from the start, with no room at all, for the session but for no part.
for left in 0 8 64; do
  head -c $(((1024 - left) * 1024)) /dev/zero >"$base/disk/filler"
  unaffected 5000 "$refrain" record -q -o "$base/disk/t.rfn" --
  [ $left -gt 0 ] || expect_code 0
  expect_matches "$err" 'No space left on device|could not be recorded: ENOSPC'
  rm -rf "$base/disk/filler" "$base/disk/t.rfn.parts" "$base/disk/t.rfn"
done

# A folder that the recorder can't write to when it gets there.
mount -o remount,ro "$base/disk"
unaffected 1000 env LD_PRELOAD="$build/lib/librefrain.so" REFRAIN_PARTS="$base/disk/t.rfn.parts"
expect_code 0
expect_empty "$err"
# Said in advance, it is refused.
run "$refrain" record -o "$base/disk/t.rfn" -- touch never
expect_refused
expect_no_file never

# The folder goes away while the program runs.
cat >removing <<'END'
rm -r "$1.parts"
shift
exec "$@"
END
unaffected 60000 "$refrain" record -q -o "$base/gone.rfn" -- bash "$work/removing" "$base/gone.rfn"
expect_contains "$err" 'no such folder'
