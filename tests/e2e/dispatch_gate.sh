# The whole chain with nothing left out: jobs are submitted with the trace of their application, `refrain dispatch`
# starts them in a real Slurm, each under the real gate of its I/O node, and they take turns by the word of a real
# coordinator, which is killed and started again in the middle; what it noted is drawn beside plan and simulation.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_slurm.sh"
source "$(dirname "$0")/lib_gate.sh"
start_slurm 4 2
trap 'stop_coordinator; stop_slurm; rm -rf "$base"' EXIT

"$refrain" record -q -o turns.rfn -- "$programs/turns" recorded 8 4 65536 100 d >/dev/null || expect_equal "$?" 7
"$refrain" jobs -q turns.rfn turns.rfn turns.rfn turns.rfn --io-nodes 2 --nodes-per-io-node 2 -o jobs.json
bandwidth=$(python3 -c '
import json
plan = json.load(open("jobs.json"))
for number, job in enumerate(plan["jobs"]): job["id"] = number + 1
json.dump(plan, open("jobs.json", "w"))
print(plan["machine"]["bandwidth"])')

# Options for the gate travel in the environment; what the scripts write to their own files passes.
export REFRAIN_RUN_OPTIONS="--insecure --gate-bytes 0 --idle 5 --exclude **/out.*"
for job in 1 2 3 4; do
  run "$refrain" submit --profile turns.rfn -J "job$job" --output "out.$job" \
    --wrap "$programs/turns job$job 8 4 65536 100 d; echo ended with \$?"
  expect_code 0
  expect_equal "$(cat "$out")" "Submitted batch job $job"
done
unset REFRAIN_RUN_OPTIONS

start_coordinator --io-nodes 2 --policy stretch
"$refrain" dispatch --mapping first-fit --partitions io0,io1 --bandwidth "$bandwidth" --interval 0.2 --settle 0 \
  --coordinator "$address" >dispatch.out 2>dispatch.err &
dispatcher=$!
wait_until 'something is granted' more_events grant 0
stop_coordinator
grace=1 start_coordinator --io-nodes 2 --policy stretch
ended() { [ "$(grep -c JobState=COMPLETED "$slurm/jobcomp")" -eq 4 ]; }
wait_until 'all jobs have ended' ended
kill "$dispatcher"
wait "$dispatcher"
expect_empty dispatch.err

# Each did what it does alone, on the I/O node that was chosen for it, and nobody else did I/O there meanwhile.
for job in 1 2 3 4; do
  io_node=$(sed -nE "s/^job $job \\(job$job\\) starts on io([01]), pack [12]$/\1/p" dispatch.out)
  expect_equal "$(grep -v '^job' "out.$job")" 'ended with 7'
  expect_equal "$(stat -c %s "job$job.dat")" 2097152
  grep '^job' "out.$job" >"turns.$job"
  expect_lines "turns.$job" 8
  cat "turns.$job" >>"turns.io$io_node"
  expect_matches "$journal" "\"event\": \"grant\", \"job\": $job, .*\"io_node\": $io_node,"
  ! grep "\"job\": $job," "$journal" | grep -v "\"io_node\": $io_node," || fail "job $job was on another I/O node"
done
for io_node in 0 1; do
  expect_lines "turns.io$io_node" 16
  expect_turns "turns.io$io_node"
done

run "$refrain" schedule gantt "$journal" jobs.json --mapping first-fit -o all.svg
expect_code 0
expect_matches "$out" '^makespan [0-9.]+ s, simulated [0-9.]+ s \([+-][0-9.]+%\), planned [0-9.]+ s$'
for picture in 'planned by first-fit' simulated 'as it happened'; do expect_contains all.svg "stretch, $picture"; done
