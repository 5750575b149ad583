# `refrain submit` and `refrain dispatch` with a real Slurm, one thing after the other: what travels with a job, who is
# released and who is not, what happens without a profile, under a coordinator, and while the controller is down.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_slurm.sh"
start_slurm 4 2

# A copy, as the jobs' scripts call the program that submitted them, and one of them is to find another in its place.
mkdir "$base/bin"
cp "$refrain" "$base/bin/refrain"
submit() { run "$base/bin/refrain" submit "$@"; }
dispatch_once() { run "$refrain" dispatch --partitions io0,io1 --settle 0 --once "$@"; }
job() { scontrol show job "$1"; }
wait_for() {  # JOB STATE
  local i
  for i in $(seq 200); do
    [[ $(job "$1") != *"JobState=$2"* ]] || return 0
    sleep 0.1
  done
  job "$1" >"$out"
  fail "job $1 is not $2"
}

"$refrain" record -q -o app.rfn -- dd if=/dev/zero of=data bs=1M count=4 status=none
cat >job.sh <<'SCRIPT'
#!/bin/bash
#SBATCH --output=job.out
#SBATCH --comment="mine, too"
echo "$# $2 on $SLURM_JOB_PARTITION with $SLURM_JOB_NUM_NODES"
SCRIPT

# What is submitted is held, and says what it will do.
submit --profile app.rfn -N 2 job.sh one 'two  words'
expect_code 0
expect_equal "$(cat "$out")" 'Submitted batch job 1'
expect_empty "$err"
job 1 >"$base/job"
expect_matches "$base/job" 'Reason=JobHeldUser'
expect_matches "$base/job" '^ *Comment=refrain/1 nodes=1 ranks=1 bandwidth=[0-9.e+]+ phases=[0-9.]+\+4194304 mine, too *$'
expect_matches "$base/job" 'JobName=job.sh$'

# An operator's hold is not ours to end; nor is a job that waits for another.
submit --profile app.rfn --dependency=afterok:1 --wrap true
submit --profile app.rfn --json --output=/dev/null --wrap 'sleep 60'
expect_matches "$out" '^\{"job_id": 3, "profile": \{"nodes":1,"ranks":1,"compute":[0-9.]+,"volume":4194304.0,"phases":1,'
scontrol update JobId=3 Priority=0
scontrol hold 3

dispatch_once --dry-run
expect_code 0
expect_matches "$out" '^job 1 \(job.sh\) starts on io0$'
expect_lacks "$out" 'job 2'
expect_lacks "$out" 'job 3'
job 1 >"$base/job"
expect_matches "$base/job" 'Reason=JobHeldUser'
dispatch_once
expect_code 0
expect_equal "$(cat "$out")" 'job 1 (job.sh) starts on io0'
wait_for 1 COMPLETED
expect_equal "$(cat job.out)" '2 two  words on io0 with 2'
dispatch_something() {  # Slurm takes its time to see that nothing stands in the way of a held job any more
  local i
  for i in $(seq 100); do
    dispatch_once
    [ ! -s "$out" ] || break
    sleep 0.1
  done
}
dispatch_something
expect_equal "$(cat "$out")" 'job 2 (wrap) starts on io0'
scancel 3

# Who has no profile is left to Slurm; the nodes that it takes are gone.
sbatch -Q -p io0 -N 2 --exclusive --output=/dev/null --wrap 'sleep 60'
wait_for 4 RUNNING
wait_for 2 COMPLETED
submit --profile app.rfn -N 2 --output=/dev/null --wrap 'sleep 60'
submit --profile app.rfn -N 1 --output=/dev/null --wrap 'sleep 60'
dispatch_something
expect_equal "$(cat "$out")" 'job 5 (wrap) starts on io1'
wait_for 5 RUNNING
dispatch_once --json
expect_empty "$out"
dispatch_once --dry-run
expect_contains "$out" '1 waiting, 1 with a profile running, 1 without'
scancel 4

# Under the gate of its I/O node.
wait_for 4 CANCELLED
cat >"$base/gate" <<'SCRIPT'
#!/bin/sh
echo "$@" >>gate.out
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
SCRIPT
chmod +x "$base/gate"
scancel 6
submit --profile app.rfn job.sh
mv "$base/gate" "$base/bin/refrain"
dispatch_once --coordinator tcp://127.0.0.1:7000 --json
expect_equal "$(cat "$out")" '{"event":"start","job":7,"partition":"io0","io_node":0}'
wait_for 7 COMPLETED
expect_equal "$(cat gate.out)" \
  "run --coordinator tcp://127.0.0.1:7000 --io-node 0 --profile $work/app.rfn -- /bin/bash /dev/fd/9"
expect_equal "$(cat job.out)" '0  on io0 with 1'

# A controller that is away for a while is waited for.
run "$refrain" submit --profile app.rfn --output=/dev/null --wrap true
expect_equal "$(cat "$out")" 'Submitted batch job 8'
pid=$(cat "$slurm/slurmctld.pid")
kill "$pid"
while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
"$refrain" dispatch --partitions io0,io1 --interval 0.2 --settle 0 >loop.out 2>loop.err &
dispatcher=$!
for i in $(seq 300); do [ ! -s loop.err ] || break; sleep 0.1; done
start_slurmctld -R
wait_for 8 COMPLETED
kill "$dispatcher"
wait "$dispatcher"
expect_equal "$(cat loop.out)" 'job 8 (wrap) starts on io0'
expect_lines loop.err 2
expect_matches loop.err '^refrain: squeue: .*; waiting until Slurm answers$'
expect_matches loop.err '^refrain: Slurm answers again$'

# A scale-free trace is that of the job's number of ranks.
if command -v mpirun >/dev/null && [ -x "$examples/iosample" ]; then
  for ranks in 2 3 4 6; do "$refrain" record -q -o "p$ranks.rfn" -- mpirun -n "$ranks" "$examples/iosample" >/dev/null; done
  "$refrain" extrapolate -q p2.rfn p3.rfn p4.rfn p6.rfn -o any.rfn 2>/dev/null
  printf '#!/bin/sh\n#SBATCH -N 2 --ntasks-per-node=6\n' >sized.sh
  run "$refrain" submit --profile any.rfn --json --ranks-per-node 6 sized.sh
  expect_code 0
  volume=$("$refrain" jobs -q --ranks 12 any.rfn 2>/dev/null | python3 -c 'import json, sys
job = json.load(sys.stdin)["jobs"][0]
print(sum(p["repeat"] * sum(v for _, v in p["phases"]) if isinstance(p, dict) else p[1] for p in job["phases"])
      if "phases" in job else job["iterations"] * job["io"])')
  expect_matches "$out" "\"nodes\":2,\"ranks\":12,.*\"volume\":$volume,"
fi

# One line for each mistake.
for line in 'submit job.sh' 'submit --profile none.rfn job.sh' 'submit --profile app.rfn none.sh' \
  'submit --profile app.rfn data' 'submit --profile app.rfn --array=1-3 job.sh' \
  'submit --profile app.rfn --partition=none job.sh' 'submit --profile app.rfn --wrap x job.sh' \
  'submit --profile app.rfn --ranks 7 job.sh' \
  'dispatch --once' 'dispatch --once --partitions io0,none' 'dispatch --once --partitions io0,queue' \
  'dispatch --once --mapping portfolio' 'dispatch --once --mapping none' 'dispatch --once --policy none' \
  'dispatch --once --bandwidth 0' 'dispatch --once --partitions io0,io1 --bandwidth 1,2,3' \
  'dispatch --once --coordinator $(id)'; do
  run "$refrain" $line
  expect_refused
done
