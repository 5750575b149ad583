# Sourced by tests of `refrain coordinate`, behind lib.sh: starts and ends coordinators.
client=$build/tests/coordinate_client
need "$client"
export REFRAIN_KEYS=$base/keys
address=ipc://$base/io
coordinator=
grace=0.3

# start_coordinator OPTION...  Returns when it listens; its messages go to $base/coordinator.err.
start_coordinator() {
  "$refrain" coordinate --listen "$address" --grace "$grace" "$@" 2>"$base/coordinator.err" &
  coordinator=$!
  local try
  for try in $(seq 200); do
    grep -q 'listening at' "$base/coordinator.err" && return 0
    kill -0 "$coordinator" 2>/dev/null || break
    sleep 0.05
  done
  echo "FAILED: the coordinator doesn't listen:" >&2
  cat "$base/coordinator.err" >&2
  exit 1
}

# end_coordinator [SIGNAL]  It must end by itself, and well, unless it is killed.
end_coordinator() {
  local ended=0
  kill "-${1:-TERM}" "$coordinator"
  wait "$coordinator" || ended=$?
  coordinator=
  [ "${1:-TERM}" = KILL ] || [ "$ended" -eq 0 ] || { echo "FAILED: the coordinator ended with $ended" >&2; exit 1; }
}

# status_is KEY VALUE OPTION...  Waits until it is, for five seconds at most.
status_is() {
  local try value=
  for try in $(seq 25); do
    value=$("$refrain" coordinate status --coordinator "$address" --json "${@:3}" | python3 -c "
import json, sys
try: print(eval('status' + sys.argv[1], {'status': json.load(sys.stdin)}))
except LookupError: print('not there')" "$1")
    [ "$value" != "$2" ] || return 0
    sleep 0.2
  done
  echo "FAILED: status$1 is $value, not $2" >&2
  exit 1
}

trap '[ -z "$coordinator" ] || kill -KILL "$coordinator" 2>/dev/null; rm -rf "$base"' EXIT
