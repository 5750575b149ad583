# The application comes first: however a process ends, not one call before it is missing from the trace.
source "$(dirname "$0")/lib.sh"

blocks=20000
expect_all_there() {
  run "$refrain" dump --expand --no-times "$base/traced.rfn"
  expect_code 0
  expect_equal "$(grep -cE '^ +pwrite\(fd0, data, [0-9]+, [0-9]+\) -> [0-9]+$' "$out")" $blocks
  expect_equal "$(grep -cE '^ +open\("step_[0-9]+"' "$out")" $((blocks / 1000))
  grep -E 'pwrite|open|write|close' "$out" >"$base/$1"
  expect_equal "$(info "$calls_lost")" 0
}

run_both "$programs/sudden_end" return $blocks
expect_code 0
expect_equal "$(info 'trace["processes"][0]["ending"]')" exited
expect_all_there whole

while read -r how status ending; do
  run_both "$programs/sudden_end" "$how" $blocks
  expect_code "$status"
  expect_equal "$(info 'trace["processes"][0]["ending"]')" "$ending"
  expect_all_there "$how"
  expect_same "$base/whole" "$base/$how"
  [ "$ending" = exited ] || {
    run "$refrain" info "$base/traced.rfn"
    expect_matches "$out" 'process 0 .*ENDED EARLY'
  }
done <<END
kill 137 early
segv 139 early
abort 134 early
_exit 6 early
END
