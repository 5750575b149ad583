# Two applications under one coordinator never write at the same time, whichever way they write; their output and
# exit codes are those they have alone. Once together with the recorder.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_gate.sh"

start_coordinator

for flags in '' d s f t v h; do
  rm -f ./*
  gated a "$programs/turns" a 3 4 65536 10 "$flags" &
  first=$!
  gated b "$programs/turns" b 3 4 65536 10 "$flags"
  wait "$first"
  expect_quiet a b
  expect_lines a.txt 3
  expect_lines b.txt 3
  expect_turns a.txt b.txt
  case $flags in s) ;; *) expect_written a 786432 ;; esac
done
[ "$(events grant)" -ge 14 ] || fail "only $(events grant) grants"

# Every byte is reported, those of the last phase too, whether or not it was over when the application ended; and while
# a phase goes on, how far it is.
status_says() {
  "$refrain" coordinate status --coordinator "$address" --insecure --json | python3 -c '
import json, sys
print(eval(sys.argv[1], {"status": json.load(sys.stdin)}))' "$1"
}
is_so() { [ "$(status_says "$1")" = True ]; }
before=$(status_says 'status["io_nodes"][0]["bytes"]')
for idle in 1 1000; do
  gate_options=(--idle "$idle")
  gated a "$programs/turns" a 3 4
  expect_quiet a
done
wait_until 'all bytes are reported' is_so "status['io_nodes'][0]['bytes'] == $((before + 2 * 786432))"
gate_options=()
gated a "$programs/turns" a 1 1000 65536 0 d &
first=$!
wait_until 'a phase says how far it is' is_so '[j for j in status["jobs"] if j["state"] == "holding" and j["bytes"] > 0] != []'
wait "$first"
expect_quiet a

# What is small, in memory or excluded passes: nothing is asked.
before=$(events ask)
run "$refrain" run --insecure --coordinator "$address" -- "$programs/turns" small 2 4 1000
expect_code 7
run "$refrain" run --insecure --coordinator "$address" --exclude '**/*.dat' -- "$programs/turns" out 2 4
expect_code 7
expect_equal "$(events ask)" "$before"

# Small transfers that add up don't pass.
run "$refrain" run --insecure --coordinator "$address" -- "$programs/turns" many 1 200 1000
expect_code 7
more_events ask "$before" || fail "200,000 bytes passed unasked"

# Under the recorder as well, in either order; both see what they should.
before=$(events grant)
gate_options=()
gated inner "$refrain" record -q -o inner.rfn -- "$programs/turns" inner 2 4
expect_quiet inner
more_events grant "$before" || fail "nothing was granted"
run "$refrain" record -q -o outer.rfn -- "$refrain" run --insecure --coordinator "$address" -- "$programs/turns" inner 2 4
expect_code 7
cp inner.rfn "$base/traced.rfn"
expect_calls 8 'pwrite\('
cp outer.rfn "$base/traced.rfn"
expect_calls 8 'pwrite\('

# A profile tells when the phases end and what is left.
before=$(events end)
gate_options=(--profile inner.rfn)
gated inner "$programs/turns" inner 2 4
expect_quiet inner
more_events end "$before" || fail "no phase ended"
expect_matches "$journal" '"bytes": *262144'

# Nothing is left behind.
run "$refrain" run --insecure --coordinator "$address" -- bash -c 'ls "$REFRAIN_GATE"'
expect_code 0
expect_no_file "$(cat "$out")"

# What is wrong before the start is refused; a command that can't be started gives the code that shells give.
run "$refrain" run --insecure
expect_refused
expect_contains "$err" 'which command'
run "$refrain" run --insecure --coordinator nowhere -- true
expect_refused
run "$refrain" run --key "$base/no.key" -- true
expect_refused
run "$refrain" run --insecure --coordinator "$address" --profile missing.rfn -- true
expect_refused
run "$refrain" run --insecure --coordinator "$address" -- ./missing
expect_code 127
expect_lines "$err" 1
