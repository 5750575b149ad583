# Whatever fails, the application ends as it would alone: its data, exit code and output, and at most one line says that
# it ran uncoordinated. REFRAIN_STORM: how often each fault is tried; REFRAIN_GATE_ONLY: which of them.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_gate.sh"

times=${REFRAIN_STORM:-1}
nap() { sleep "0.0$((RANDOM % 9 + 1))"; }
jobs_end() {
  local one
  for one in $(jobs -p); do [ "$one" = "$coordinator" ] || wait "$one"; done
}

no_coordinator() {
  local patience=0.3
  gated a "$programs/turns" a 2 4
  expect_said a 'no coordinator answered'
  expect_written a 524288
}

silent_coordinator() {
  local patience=0.3
  python3 -c 'import socket, sys, time
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(9)
kept = []
while True: kept.append(s.accept())' "$base/silent" &
  local listener=$!
  wait_until 'somebody listens' test -S "$base/silent"
  address=ipc://$base/silent gated a "$programs/turns" a 2 4
  kill "$listener"
  wait "$listener" 2>/dev/null || true
  rm "$base/silent"
  expect_said a 'no coordinator answered'
  expect_written a 524288
}

wrong_key() {
  "$refrain" coordinate keygen --keys "$base/keys" >/dev/null 2>&1
  "$refrain" coordinate keygen --keys "$base/others" >/dev/null 2>&1
  "$refrain" coordinate --listen "ipc://$base/locked" --keys "$base/keys" >/dev/null 2>&1 &
  local locked=$! status=0 keys patience
  wait_until 'the coordinator listens' test -S "$base/locked"
  for keys in keys others; do
    [ "$keys" = keys ] && patience=60 || patience=0.5
    timeout -s KILL 120 "$refrain" run --key "$base/$keys" --patience "$patience" --coordinator "ipc://$base/locked" --gate-bytes 0 -- \
      "$programs/turns" "$keys" 2 4 2>"$keys.err" | cat >"$keys.txt" || status=$?
    echo "$status" >"$keys.code"
  done
  kill -9 "$locked"
  wait "$locked" 2>/dev/null || true
  rm -rf "$base/keys" "$base/others" "$base/locked" "$base/locked.events"
  expect_quiet keys
  expect_said others 'no coordinator answered'
}

no_such_io_node() {
  start_coordinator
  local gate_options=(--io-node 7)
  gated a "$programs/turns" a 2 4
  expect_said a 'refused'
  expect_written a 524288
}

coordinator_killed() {
  local granted
  start_coordinator
  granted=$(events grant)
  local patience=0.3
  gated a "$programs/turns" a 20 4 &
  gated b "$programs/turns" b 20 4 &
  [ $((RANDOM % 4)) = 0 ] || wait_until 'something is granted' more_events grant "$granted"
  nap
  stop_coordinator
  jobs_end
  for name in a b; do
    expect_equal "$(cat "$name.code")" 7
    expect_written "$name" 5242880
    [ "$(wc -l <"$name.err")" -le 1 ] || fail "$name said too much"
  done
}

coordinator_restarted() {
  local granted
  start_coordinator
  granted=$(events grant)
  gated a "$programs/turns" a 30 4 &
  gated b "$programs/turns" b 30 4 &
  wait_until 'something is granted' more_events grant "$granted"
  nap
  stop_coordinator
  grace=5 start_coordinator # longer than a client of a busy machine takes to come back
  granted=$(events grant)
  wait_until 'the new one grants' more_events grant "$granted"
  jobs_end
  expect_quiet a b
  expect_turns a.txt b.txt
}

rank_killed() {
  local granted ended
  start_coordinator
  granted=$(events grant)
  gated a "$programs/turns" a 1 4 65536 0 dw &
  wait_until 'a writes' more_events grant "$granted"
  gated b "$programs/turns" b 2 4 &
  nap
  ended=$(date +%s%N)
  kill -9 "$(app_of a)"
  jobs_end
  expect_equal "$(cat a.code)" 137
  expect_empty a.err
  expect_quiet b
  note_delay b.txt "$ended"
}

waiting_rank_killed() {
  local granted
  start_coordinator
  granted=$(events ask)
  gated a "$programs/turns" a 1 4 65536 0 dw &
  wait_until 'a writes' more_events ask "$granted"
  gated b "$programs/turns" b 2 4 65536 0 &
  wait_until 'b waits' more_events ask $((granted + 1))
  kill -9 "$(app_of b)"
  touch a.go
  jobs_end
  expect_quiet a
  expect_equal "$(cat b.code)" 137
  expect_empty b.err
}

several() { pgrep -x -P "$(child "$(run_of a)" bash)" turns; }
all_three() { [ "$(several | wc -l)" -eq 3 ]; }
# Several processes, of which one is killed in its phase: the others and another job go on.
one_of_several_killed() {
  local granted one
  start_coordinator
  granted=$(events grant)
  gated a bash -c 'for i in 1 2 3; do "$0" "a$i" 20 20 65536 5 dw >"a$i.txt" & done; wait' "$programs/turns" &
  wait_until 'a writes' more_events grant "$granted"
  wait_until 'all of a run' all_three
  gated b "$programs/turns" b 2 4 &
  nap
  one=$(several | shuf -n 1)
  kill -9 "$one"
  touch a{1,2,3}.go
  jobs_end
  expect_equal "$(cat a.code)" 0
  expect_equal "$(wc -l a[123].txt | grep -c '^ *20 a')" 2
  expect_quiet b
}

client_killed() {
  start_coordinator
  gated a "$programs/turns" a 40 4 65536 30 dw &
  wait_until 'a has a client' client_of a
  nap
  kill -9 "$(client_of a)"
  touch a.go
  jobs_end
  expect_said a 'ended from outside'
  expect_written a 10485760
}

run_killed() {
  local granted app page
  start_coordinator
  granted=$(events grant)
  gated a "$programs/turns" a 40 4 65536 30 dw &
  wait_until 'a writes' more_events grant "$granted"
  app=$(app_of a)
  page=$(tr '\0' '\n' <"/proc/$app/environ" | sed -n 's/^REFRAIN_GATE=//p')
  expect_file "$page"
  kill -9 "$(run_of a)"
  touch a.go
  wait_until 'the application has ended' bash -c "! kill -0 $app"
  jobs_end
  expect_written a 10485760
  expect_lines a.txt 40
  wait_until 'the page is gone' test ! -e "$page"
}

application_stopped() {
  local granted
  start_coordinator
  granted=$(events grant)
  gated a "$programs/turns" a 1 4 65536 0 dw &
  wait_until 'a writes' more_events grant "$granted"
  local app
  app=$(app_of a)
  kill -STOP "$app"
  gated b "$programs/turns" b 2 4
  sleep "$stopped_for"
  touch a.go
  kill -CONT "$app"
  jobs_end
  expect_quiet a b
}

client_stopped() {
  local granted client
  start_coordinator
  granted=$(events grant)
  gated a "$programs/turns" a 40 4 65536 30 dw &
  wait_until 'a writes' more_events grant "$granted"
  client=$(client_of a)
  kill -STOP "$client"
  touch a.go
  gated b "$programs/turns" b 2 4
  sleep "$stopped_for"
  kill -CONT "$client" 2>/dev/null || true  # unless a has ended meanwhile
  jobs_end
  expect_quiet b
  expect_equal "$(cat a.code)" 7
  expect_written a 10485760
}

coordinator_stopped() {
  start_coordinator
  local patience=0.3
  gated a "$programs/turns" a 40 4 &
  nap
  kill -STOP "$coordinator"
  sleep "$stopped_for"
  kill -CONT "$coordinator"
  jobs_end
  expect_equal "$(cat a.code)" 7
  expect_written a 10485760
}

# How long after the kill another job wrote; for the figures.
note_delay() {
  [ -z "${REFRAIN_GATE_DELAYS:-}" ] || python3 -c 'import sys, time
began = int(open(sys.argv[1]).readline().split()[1])
since_boot = time.time_ns() - time.monotonic_ns()
print(int((began + since_boot - int(sys.argv[2])) / 1e6), "ms")' "$1" "$2" >>"$REFRAIN_GATE_DELAYS"
}

stopped_for=${REFRAIN_GATE_STOPPED:-1}
for fault in ${REFRAIN_GATE_ONLY:-no_coordinator silent_coordinator wrong_key no_such_io_node coordinator_killed \
  coordinator_restarted rank_killed waiting_rank_killed one_of_several_killed client_killed run_killed application_stopped client_stopped \
  coordinator_stopped}; do
  for turn in $(seq "$times"); do
    rm -f ./*
    command_line="$fault, turn $turn"
    "$fault"
    stop_coordinator
  done
  [ "$times" = 1 ] || echo "$fault: $times times"
done
