# A coordinator with clients that fight, die, stop, crowd and say anything, and one that is killed itself.
# REFRAIN_STORM=N does everything N times; from 10 on with 100,000 random messages and 1,000 clients at once each time.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_coordinate.sh"
storm=${REFRAIN_STORM:-1}
many=$((storm < 10 ? storm : 10))
jobs=

# play JOB IO_NODE PHASES COMPUTE_MS IO_MS  In the background; its lines go to play.JOB.
play() {
  timeout 90 "$client" play "$address" "$@" >"play.$1" 2>&1 &
  jobs="$jobs $!"
}
all_done() {
  local job
  for job in $jobs; do wait "$job" || { tail -n 3 play.*; fail "a client failed"; }; done
  jobs=
}
# overlaps FILE...  How many pairs of leases were held at the same time.
overlaps() {
  cat "$@" | grep -v done | python3 -c '
import sys
held = sorted((int(a), int(b)) for _, a, b in (line.split() for line in sys.stdin))
print(sum(1 for i, (a, b) in enumerate(held) for c, d in held[i + 1:] if c < b))'
}
now_ms() { echo $(($(date +%s%N) / 1000000)); }

# Four jobs fight for one I/O node: one after another. With two at once: never three, but often two.
start_coordinator --insecure --policy stretch
for job in 1 2 3 4; do play "$job" 0 $((5 * storm)) 10 20; done
all_done
expect_equal "$(overlaps play.1 play.2 play.3 play.4)" 0
expect_equal "$(cat play.* | grep -vc done)" $((20 * storm))
end_coordinator
start_coordinator --insecure --at-once 2
for job in 1 2 3 4; do play "$job" 0 5 10 20; done
all_done
[ "$(overlaps play.1 play.2 play.3 play.4)" -gt 0 ] || fail 'nobody shared the I/O node'
end_coordinator

# Who is killed while it holds a lease loses it within a second; so does who is stopped, and finds its way back.
start_coordinator --insecure
for signal in $(for i in $(seq "$storm"); do echo KILL STOP; done); do
  : >held # what the round before left is not this one's
  "$client" hold "$address" 100 never >>held 2>&1 &
  holder=$!
  for try in $(seq 100); do grep -q holding held && break; sleep 0.05; done
  expect_contains held holding
  kill "-$signal" "$holder"
  from=$(now_ms)
  run timeout 20 "$client" play "$address" 5 0 1 0 1
  expect_code 0
  took=$(($(now_ms) - from))
  [ "$took" -lt 4000 ] || fail "the lease was free only after $took ms"
  if [ "$signal" = STOP ]; then
    kill -CONT "$holder"
    status_is '["io_nodes"][0]["holders"]' '[100]' --insecure
    kill -KILL "$holder"
  fi
  wait "$holder" 2>/dev/null || true
  status_is '["job_count"]' 0 --insecure
done
end_coordinator

# A coordinator that is killed and comes back: who held a lease still holds it, who waited still waits.
for round in $(seq "$storm"); do
  rm -f enough
  start_coordinator --insecure
  timeout 90 "$client" hold "$address" 21 enough >held 2>&1 &
  jobs=$!
  status_is '["io_nodes"][0]["holders"]' '[21]' --insecure
  play 22 0 1 0 10
  status_is '["io_nodes"][0]["waiting"]' 1 --insecure
  end_coordinator KILL
  start_coordinator --insecure
  status_is '["counters"]["honored"]' 1 --insecure
  status_is '["io_nodes"][0]["waiting"]' 1 --insecure
  status_is '["io_nodes"][0]["holders"]' '[21]' --insecure
  touch enough
  all_done
  expect_contains held ', 0 leases lost'
  expect_contains play.22 ', 0 leases lost'
  end_coordinator
done

# Anything may be said.
start_coordinator --insecure --io-nodes 2
for seed in $(seq "$storm"); do
  run timeout 300 "$client" noise "$address" $((10000 * many)) "$seed"
  expect_code 0
done
status_is '["counters"]["malformed"] > 1000' True --insecure
status_is '["job_count"]' 0 --insecure
for round in $(seq "$storm"); do
  run timeout 300 "$client" crowd "$address" $((100 * many)) 3
  expect_code 0
  expect_contains "$out" "have had $((300 * many)) grants"
done
status_is '["counters"]["expired"] >= 0' True --insecure
end_coordinator

# Bytes that are not even ZeroMQ's, connections that say half a greeting or nothing.
port=$((20000 + $$ % 10000))  # another instance of this test may run
address=tcp://127.0.0.1:$port
start_coordinator --insecure
python3 - "$storm" "$port" <<'PYTHON'
import os, random, socket, sys
first = int(sys.argv[2])
random.seed(1)
kept = []
greeting = b'\xff\0\0\0\0\0\0\0\x01\x7f\x03\x00NULL' + bytes(48)
for port in (first, first + 1):
    for i in range(40 * int(sys.argv[1])):
        s = socket.create_connection(('127.0.0.1', port))
        try:
            s.sendall(random.choice([b'', b'GET / HTTP/1.0\r\n\r\n', os.urandom(200), greeting[:random.randrange(64)],
                                     greeting + os.urandom(100), greeting + b'\x02' + b'\xff' * 8 + os.urandom(64)]))
        except OSError:
            pass
        if i % 2: kept.append(s)
        else: s.close()
PYTHON
run timeout 20 "$client" play "$address" 1 0 3 1 1
expect_code 0
end_coordinator
