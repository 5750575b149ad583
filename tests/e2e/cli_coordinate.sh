# `refrain coordinate`: keys, who is let in, what is told to whom, and how it ends.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_coordinate.sh"

run "$refrain" coordinate --help
expect_code 0
expect_contains "$out" 'Usage: refrain coordinate'
for command in keygen status watch; do
  run "$refrain" coordinate "$command" --help
  expect_code 0
  expect_contains "$out" "Usage: refrain coordinate $command"
  expect_contains "$out" 'Example:'
done

# What can't be served is refused with one line.
run "$refrain" coordinate --listen "$address"
expect_refused
expect_contains "$err" 'refrain coordinate keygen'
run "$refrain" coordinate --listen "$address" --policy lifo --insecure
expect_refused
for bad in 'tcp://x' 'udp://127.0.0.1:5' 'tcp://127.0.0.1:0'; do
  run "$refrain" coordinate --listen "$bad" --insecure
  expect_refused
done
for open_to_all in 'tcp://*:15570' 'tcp://0.0.0.0:15570'; do
  run "$refrain" coordinate --listen "$open_to_all" --insecure
  expect_refused
  expect_contains "$err" '--insecure is only for'
done
run "$refrain" coordinate --listen "$address" --insecure --journal "$work"
expect_refused
run "$refrain" coordinate --listen "$address" --insecure --prometheus 99999
expect_refused
run "$refrain" coordinate status --coordinator "$address" --insecure
expect_refused
expect_contains "$err" 'no coordinator answers'

# Keys are made once, for their owner's eyes.
run "$refrain" coordinate keygen
expect_code 0
expect_equal "$(stat -c %a "$base/keys" "$base/keys/client.key" "$base/keys/coordinator.key" | paste -sd ' ')" '700 600 600'
run "$refrain" coordinate keygen
expect_refused
chmod 644 "$base/keys/coordinator.key"
run "$refrain" coordinate --listen "$address"
expect_refused
expect_contains "$err" 'chmod 600'
chmod 600 "$base/keys/coordinator.key"

start_coordinator --policy shortest-io --io-nodes 2 --journal journal.jsonl --prometheus 15579
run timeout 20 "$client" play "$address@$base/keys/client.key" 7 1 3 5 10
expect_code 0
expect_contains "$out" 'done after 1 registrations, 0 leases lost'

# Without a key that the coordinator knows nobody gets anything; a new one is known at once.
run timeout 1 "$client" play "$address" 8 0 1 1 1
expect_code 124
REFRAIN_KEYS=$base/others "$refrain" coordinate keygen 2>/dev/null
sed "s/^server.*/$(grep server "$base/keys/client.key" | sed 's/[&/]/\\&/g')/" "$base/others/client.key" >stranger.key
chmod 600 stranger.key
run timeout 1 "$client" play "$address@stranger.key" 8 0 1 1 1
expect_code 124
run "$refrain" coordinate keygen --client alice
expect_code 0
run timeout 20 "$client" play "$address@$base/keys/alice.key" 9 0 1 1 1
expect_code 0
status_is '["counters"]["grants"]' 4
status_is '["counters"]["turned_away"] > 0' True

# What is told.
timeout 100 "$client" play "$address@$base/keys/client.key" 11 0 1000000 20 20 >/dev/null &
player=$!
status_is '["jobs"][0]["name"]' 'play 11'
run "$refrain" coordinate status --coordinator "$address"
expect_code 0
expect_contains "$out" '1 job, 1 client, policy shortest-io'
expect_matches "$out" '^11 +play 11 +0 '
run "$refrain" coordinate watch --coordinator "$address" --json --seconds 0.5
expect_code 0
expect_contains "$out" '"event": "grant"'
expect_contains "$out" '"io_nodes": ['
run "$refrain" coordinate watch --coordinator "$address" --seconds 0.2
expect_code 0
expect_matches "$out" '^I/O node +holds'
kill "$player"
wait "$player" || true
status_is '["job_count"]' 0
python3 - >metrics 2>/dev/null <<'PYTHON' || fail 'counters could not be fetched'
from urllib.request import urlopen
print(urlopen('http://127.0.0.1:15579/metrics', timeout=5).read().decode(), end='')
PYTHON
expect_matches metrics '^refrain_coordinator_grants_total [0-9]+$'
expect_contains metrics 'refrain_coordinator_clients 0'
expect_contains metrics 'refrain_coordinator_waiting{io_node="1"} 0'

# It ends on both signals and can be started again at once; what it told is in the journal.
end_coordinator TERM
run "$refrain" coordinate status --coordinator "$address"
expect_refused
python3 - <<'PYTHON' || fail 'the journal is wrong'
import json
events = [json.loads(line) for line in open('journal.jsonl')]
names = [e['event'] for e in events if e.get('job') == 7]
assert events[0]['event'] == 'start' and events[0]['policy'] == 'shortest-io', events[0]
assert names == ['job'] + ['ask', 'grant', 'end'] * 3 + ['leave'], names
times = [e['at_ns'] for e in events]
assert times == sorted(times)
PYTHON
address=tcp://127.0.0.1:15575
for signal in INT TERM KILL INT; do
  start_coordinator
  run timeout 20 "$client" play "$address@$base/keys/client.key" 1 0 1 1 1
  expect_code 0
  if [ "$signal" = INT ]; then
    run "$refrain" coordinate --listen "$address"
    expect_refused
    expect_contains "$err" 'Address already in use'
  fi
  end_coordinator "$signal"
done

# A full disk costs the journal, not the service.
start_coordinator --journal /dev/full
run timeout 20 "$client" play "$address@$base/keys/client.key" 1 0 2 1 1
expect_code 0
status_is '["counters"]["journal_lost"] > 0' True
expect_contains "$base/coordinator.err" '/dev/full: can'"'"'t be written'
end_coordinator
