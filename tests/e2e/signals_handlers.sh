# Signal handlers, whatever they interrupt: the application behaves as ever, and the trace has every call of the program
# and of its handlers, as calls of the application. REFRAIN_ROUNDS=1000 repeats each that often; see docs/guide.md.
source "$(dirname "$0")/lib.sh"

lost() { info "sum(p['lost']['$1'] for p in trace['processes'])"; }
recorded() { "$refrain" dump --expand --no-times "$base/traced.rfn" | grep -cE "^ +$1\(" || true; }
counted() { sed -n "s/ $1$//p" "$base/traced/counts"; }

# both MODE [TICKS]  Output, exit code and files are the same; how many calls there were isn't.
both() { run_both -x counts -x log -x data timeout 60 "$programs/signals" "$@"; }

# exactly FUNCTION...  As many as the program counted, none of them lost.
exactly() {
  local function
  for function in "$@"; do
    expect_equal "$function $(recorded "$function")" "$function $(counted "$function")"
  done
  expect_equal "$(info "$calls_lost")" 0
}

for round in $(seq "${REFRAIN_ROUNDS:-1}"); do
  both first 60
  expect_equal "$(info "$calls_lost")" 0
  expect_equal "$(recorded pwrite)" 60
  expect_equal "$(recorded write)" "$(wc -l <"$base/traced/log")"

  both write 150
  exactly pwrite write

  both inside 100
  exactly flock write

  # A call that was left by a jump is counted as abandoned. The program may have been about to count one that had ended.
  both jump 150
  expect_equal "$(recorded write)" "$(counted write)"
  made=$(recorded pwrite)
  [ "$made" -ge "$(counted pwrite)" ] && [ "$made" -le $(($(counted pwrite) + 150)) ] ||
    fail "$(counted pwrite) calls of pwrite came back, $made are recorded"
  [ "$(lost abandoned)" -gt 0 ] && [ "$(lost abandoned)" -le 150 ] || fail "$(lost abandoned) calls were left by jumps"
  expect_equal "$(lost in_handlers) $(lost unknown)" "0 0"

  both nested 200
  exactly pwrite write

  both threads 200
  exactly pwrite write
done

# Killed at any instant: what had been done is in the trace, but for the very last call.
for round in $(seq $((3 * ${REFRAIN_ROUNDS:-1}))); do
  prepare_box
  run "$refrain" record -q -o "$base/traced.rfn" -- \
    sh -c "'$programs/signals' write 1000000 & sleep 0.$((RANDOM % 30 + 10)); kill -KILL \$!; wait \$!"
  expect_code 137
  expect_equal "$(info '[p["ending"] for p in trace["processes"] if p["program"].endswith("signals")]')" "['early']"
  [ ! -e log ] || done=$(wc -l <log)
  [ ! -e log ] || [ $((done - $(recorded write))) -le 1 ] || fail "$(recorded write) of $done writes are recorded"
  expect_equal "$(info "$calls_lost")" 0
done
