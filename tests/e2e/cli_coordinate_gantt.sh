# What a coordinator's journal tells, drawn beside the simulation of the same jobs: every policy, live and simulated.
# REFRAIN_STORM=N runs N times as many phases, after which the two are closer.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_coordinate.sh"
grace=0
phases=$((4 * ${REFRAIN_STORM:-1}))

cat >jobs.json <<END
{"machine": {"io_nodes": 1, "nodes_per_io_node": 10, "bandwidth": 1.0},
 "jobs": [{"id": 1, "nodes": 2, "iterations": $phases, "compute": 0.08, "io": 0.025},
          {"id": 2, "nodes": 1, "iterations": $((2 * phases)), "compute": 0.04, "io": 0.012},
          {"id": 3, "nodes": 1, "iterations": $((2 * phases)), "compute": 0.04, "io": 0.012}]}
END
for policy in lowest-id longest-io shortest-io shortest-remaining longest-remaining fifo bandwidth stretch; do
  rm -f journal.jsonl
  start_coordinator --insecure --policy "$policy" --machine jobs.json --journal journal.jsonl
  jobs=
  for job in "1 $phases 80 25" "2 $((2 * phases)) 40 12" "3 $((2 * phases)) 40 12"; do
    set -- $job
    timeout 90 "$client" play "$address" "$1" 0 "$2" "$3" "$4" >"play.$1" &
    jobs="$jobs $!"
  done
  for job in $jobs; do wait "$job" || fail 'a client failed'; done
  status_is '["job_count"]' 0 --insecure
  end_coordinator
  run "$refrain" schedule gantt journal.jsonl jobs.json -o both.svg --json
  expect_code 0
  python3 - "$out" "$phases" <<'PYTHON' || fail "the journal of $policy is not what was run"
import json, sys
both = json.load(open(sys.argv[1]))
phases = int(sys.argv[2])
live, simulated = both['happened'], both['simulated']
assert live['ios'] == simulated['ios'] == 5 * phases, both
assert [j['id'] for j in live['jobs']] == [1, 2, 3], both
assert live['makespan'] > 0.95 * simulated['makespan'], both
print('%+.1f%%' % (100 * live['makespan'] / simulated['makespan'] - 100))
PYTHON
done
expect_contains both.svg 'stretch, as it happened'
expect_contains both.svg 'stretch, simulated'
expect_contains both.svg '</svg>'
run "$refrain" schedule gantt journal.jsonl
expect_code 0
expect_matches "$out" '^makespan [0-9.]+ s$'
run "$refrain" schedule gantt journal.jsonl jobs.json
expect_code 0
expect_matches "$out" '^makespan [0-9.]+ s, simulated [0-9.]+ s \([+-][0-9.]+%\)$'

# What is no journal is refused.
run "$refrain" schedule gantt jobs.json
expect_refused
run "$refrain" schedule gantt nowhere.jsonl
expect_refused
sed 's/"id": 3/"id": 4/' jobs.json >others.json
run "$refrain" schedule gantt journal.jsonl others.json
expect_refused
expect_contains "$err" 'there is no job 3'
