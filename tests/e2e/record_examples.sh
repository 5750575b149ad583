# Every example application of one process is transparent to trace, folds into loops, and gives the same trace each time.
source "$(dirname "$0")/lib.sh"

for name in amr logger threads timesteps; do
  example=$examples/$name
  expect_transparent "$example"
  run "$refrain" dump --no-times "$base/traced.rfn"
  expect_code 0
  expect_contains "$out" 'loop i'
  cp "$out" "$base/first"
  prepare_box
  run "$refrain" record -q -o "$base/again.rfn" -- "$example"
  expect_code 0
  cd "$work"
  run "$refrain" dump --no-times "$base/again.rfn"
  expect_same "$base/first" "$out"
done

# The time steps read as the nest of loops they are.
run "$refrain" record -q -o c.rfn -- "$examples/timesteps"
run "$refrain" dump --no-times c.rfn
expect_code 0
expect_contains "$out" 'loop i 10'
expect_contains "$out" 'loop j 4'
expect_contains "$out" 'loop k 16'
expect_contains "$out" '"ckpt_{i:04}.dat"'
expect_contains "$out" '2097152*j + 65536*k + 4096'
run "$refrain" dump --expand --no-times c.rfn
expect_equal "$(grep -c 'pwrite(' "$out")" $((10 * (1 + 4 * 16)))
expect_equal "$(grep -c 'ckpt_' "$out")" 10
