# The golden trace of every format version stays readable, and prints as it always has.
source "$(dirname "$0")/lib.sh"

found=0
for trace in "$golden"/*.rfn; do
  found=$((found + 1))
  ranks=()
  if grep -q 'ranks P' "${trace%.rfn}.txt"; then ranks=(--ranks 10); fi  # a scale-free one
  run "$refrain" dump --layer-streams "$trace"
  expect_code 0
  expect_same "${trace%.rfn}.txt" "$out"
  run "$refrain" info --json "${ranks[@]}" "$trace"
  expect_code 0
  run "$refrain" dump --expand "${ranks[@]}" "$trace"
  expect_code 0
  run "$refrain" dump --expand --rank 99999 "${ranks[@]}" "$trace"
  expect_refused
  run "$refrain" dump --rank 0 "${ranks[@]}" "$trace"
  expect_code 0
done
[ "$found" -gt 0 ] || fail "no golden traces"
