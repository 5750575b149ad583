# For tests of `refrain run`: a coordinator at $address, applications under the gate, and what they did.
address=ipc://$base/io
journal=$base/io.jsonl
coordinator=
grace=0.2  # where nobody can have a lease of before

# start_coordinator [OPTION]...
start_coordinator() {
  "$refrain" coordinate --listen "$address" --insecure --grace "$grace" --journal "$journal" "$@" >>"$base/coordinator.log" 2>&1 &
  coordinator=$!
  wait_until 'the coordinator listens' test -S "$base/io"
}
stop_coordinator() {
  [ -z "$coordinator" ] || kill -9 "$coordinator" 2>/dev/null || true
  [ -z "$coordinator" ] || wait "$coordinator" 2>/dev/null || true
  coordinator=
  rm -f "$base/io" "$base/io.events"
}
end_of_gate_test() { stop_coordinator; rm -rf "$base"; }
trap end_of_gate_test EXIT

# wait_until WHAT COMMAND...  Polls the command until it succeeds; half a minute at most.
wait_until() {
  local what=$1 try
  shift
  for try in $(seq 600); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.05
  done
  fail "waited in vain until $what"
}

gate_options=()
patience=60  # more than a busy machine needs

# gated NAME COMMAND...  Runs it under the gate; its output is in NAME.txt, messages in NAME.err, its exit code in
# NAME.code. Nothing passes unasked but the outputs, which are files here.
gated() {
  local name=$1 status=0
  shift
  timeout -s KILL 120 "$refrain" run --insecure --coordinator "$address" --patience "$patience" --gate-bytes 0 \
    --exclude '**/*.txt' --exclude '**/*.err' "${gate_options[@]}" -- "$@" >"$name.txt" 2>"$name.err" </dev/null &
  echo $! >"$name.timeout"
  wait $! || status=$?
  echo "$status" >"$name.code"
}
# child PID NAME  The child of a process that has this name, if there is one.
child() {
  local one
  for one in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
    [ "$(cat "/proc/$one/comm" 2>/dev/null)" != "$2" ] || { echo "$one"; return 0; }
  done
  return 1
}
run_of() { child "$(cat "$1.timeout")" refrain; }
app_of() { child "$(run_of "$1")" turns; }
client_of() { child "$(run_of "$1")" refrain-client; }

# events KIND  How many of them the journal has.
events() { grep -c "\"event\": *\"$1\"" "$journal" || true; }
more_events() { [ "$(events "$1")" -gt "$2" ]; }

# expect_turns FILE...  The phases that programs told of don't overlap with those of others.
expect_turns() {
  python3 - "$@" <<'PYTHON' || fail "phases overlap"
import sys
phases = sorted((int(begin), int(end), name) for path in sys.argv[1:] for line in open(path)
                for name, begin, end in [line.split()])
assert phases, "nobody wrote"
for (_, end, one), (begin, _, other) in zip(phases, phases[1:]):
    assert one == other or end <= begin, f"{other} began at {begin} before {one} ended at {end}"
PYTHON
}

# expect_quiet NAME...  The application ended as it would alone, and nothing was said.
expect_quiet() {
  local name
  for name in "$@"; do
    expect_equal "$(cat "$name.code")" 7
    [ ! -s "$name.err" ] || { cat "$name.err" >&2; fail "$name said something"; }
  done
}
# expect_said NAME TEXT  It ended as it would alone, and one line says that it was uncoordinated.
expect_said() {
  expect_equal "$(cat "$1.code")" 7
  expect_lines "$1.err" 1
  expect_contains "$1.err" "$2"
}
# expect_written NAME BYTES  All of them arrived.
expect_written() { expect_equal "$(stat -c %s "$1.dat")" "$2"; }
