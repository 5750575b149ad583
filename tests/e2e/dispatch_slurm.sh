# Jobs through `refrain submit` and `refrain dispatch` on a Slurm of virtual nodes: they start in the order and on the
# partitions that `refrain schedule simulate` gives for them, though dispatcher and controller are killed and started
# again in the middle, and beside jobs that have no profile. REFRAIN_SLURM_JOBS=20 runs 20 jobs on 64 nodes under
# three mappings, which takes ten minutes; otherwise 8 on 8 nodes under one.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_slurm.sh"

# nodes, iterations, seconds of compute, seconds of I/O of each job. Chosen so that what a job takes longer on a busy
# machine, a second or so, does not change who starts where.
if [ "${REFRAIN_SLURM_JOBS:-8}" -gt 8 ]; then
  partitions=4 nodes_each=16 mappings='first-fit make-pack easy'
  jobs='12 1 28 18, 8 1 46 10, 8 1 8 16, 8 1 50 4, 12 1 64 12, 8 1 48 22, 4 1 70 24,
    4 1 28 12, 4 1 60 6, 8 1 56 10, 8 1 48 16, 8 1 52 22, 8 1 38 14, 12 1 34 6,
    8 1 12 18, 8 1 66 2, 16 1 54 4, 8 1 6 14, 8 1 18 16, 8 1 14 14'
else
  partitions=2 nodes_each=4 mappings=make-pack
  jobs='1 1 .7 .4, 2 2 1.2 .4, 2 1 1.4 .3, 2 1 .8 0, 3 1 .3 0, 3 2 .6 .3, 4 2 .5 .6, 2 1 .3 .3'
fi
names=$(seq -s, -f io%g 0 $((partitions - 1)))
start_slurm $((partitions * nodes_each)) "$partitions"

# The I/O of a partition goes one after the other, as with a coordinator.
cat >job.sh <<'SCRIPT'
#!/bin/bash
#SBATCH --output=/dev/null
for ((i = 0; i < $1; ++i)); do
  sleep "$2"
  flock "$4/lock.$SLURM_JOB_PARTITION" sleep "$3"
done
SCRIPT

# write_jobs  jobs.json for the simulation, and a profile for each job.
write_jobs() {
  python3 - "$jobs" "$partitions" "$nodes_each" <<'PYTHON'
import json, sys
machine = {"io_nodes": int(sys.argv[2]), "nodes_per_io_node": int(sys.argv[3]), "bandwidth": 1}
jobs = []
for n, text in enumerate(sys.argv[1].split(",")):
    nodes, iterations, compute, io = map(float, text.split())
    jobs.append({"id": n + 1, "nodes": int(nodes), "iterations": int(iterations), "compute": compute, "io": io})
    json.dump({"machine": machine, "jobs": jobs[-1:]}, open(f"profile.{n + 1}.json", "w"))
json.dump({"machine": machine, "jobs": jobs}, open("jobs.json", "w"))
PYTHON
}

submit_all() {
  local n=0 line
  rm -f ids
  while read -r line; do
    set -- $line
    n=$((n + 1))
    run "$refrain" submit --profile "profile.$n.json" --json -J "job$n" -N "$1" job.sh "$2" "$3" "$4" "$base"
    expect_code 0
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["job_id"])' "$out" >>ids
  done < <(tr '\n,' ' \n' <<<"$jobs," | grep '[0-9]')
  count=$n
}

# dispatch OPTION...  In the background; $dispatcher is its number.
dispatch() {
  "$refrain" dispatch --partitions "$names" --bandwidth 1 --interval 0.2 --settle 0 "$@" >>dispatch.out 2>>dispatch.err &
  dispatcher=$!
}

# jobs_over  How many of them have ended, by the file in which Slurm notes it.
jobs_over() { grep -cE ' Name=job[0-9]+ .*JobState=COMPLETED' "$slurm/jobcomp" 2>/dev/null || true; }

# A controller that is restarted on a busy machine may lose a job that ends just then, or have it fail. Then the jobs are
# submitted anew; what the dispatcher itself never starts is missing every time.
lost_by_slurm=75
wait_until_over() {
  local i
  for i in $(seq $((count > 8 ? 6000 : 600))); do
    [ "$(jobs_over)" -lt "$1" ] || return 0
    kill -0 "$dispatcher" 2>/dev/null || fail "the dispatcher has ended: $(tail -n 3 dispatch.err)"
    sleep 0.1
  done
  { echo "$(jobs_over) of $1 jobs have ended; Slurm has"; squeue; cat "$slurm/jobcomp" dispatch.out dispatch.err; } >&2
  kill -KILL "$dispatcher"
  exit $lost_by_slurm
}

# compare MAPPING OPTION...  What Slurm did beside what the simulation says: partitions, and the order on each.
compare() {
  run "$refrain" schedule simulate jobs.json --policy fifo --json "${@:2}"
  expect_code 0
  python3 - "$out" "$slurm/jobcomp" "$1" <<'PYTHON' || fail "not as simulated under $1"
import json, re, sys, datetime
simulated = json.load(open(sys.argv[1]))
plan = {job["id"]: job for job in simulated["jobs"]}
seconds = lambda text: datetime.datetime.fromisoformat(text).timestamp()
real = {}
for line in open(sys.argv[2]):
    field = dict(re.findall(r"(\w+)=(\S*)", line))
    name = re.fullmatch(r"job(\d+)", field["Name"])
    if name: real[int(name[1])] = (field["Partition"], seconds(field["StartTime"]), seconds(field["EndTime"]))
wrong = [n for n in plan if real[n][0] != f"io{plan[n]['partition']}"]
for a in plan:
    for b in plan:
        if plan[a]["partition"] != plan[b]["partition"] or plan[b]["start"] - plan[a]["start"] < 0.5: continue
        if real[a][1] > real[b][1]: wrong += [a, b]
first = min(start for _, start, _ in real.values())
makespan = max(end for _, _, end in real.values()) - first
print(f"{sys.argv[3]}: {len(plan)} jobs, makespan {makespan:.0f} s, simulated {simulated['makespan']:.1f} s")
for n in sorted(set(wrong)):
    print(f"job {n}: {real[n][0]} from {real[n][1] - first:.0f}, simulated io{plan[n]['partition']} from {plan[n]['start']}",
          file=sys.stderr)
sys.exit(bool(wrong))
PYTHON
}

# attempt MAPPING
attempt() {
  local mapping=$1 sensibility=1
  [ "$mapping" != easy ] || sensibility=1.5
  rm -f dispatch.out dispatch.err
  : >"$slurm/jobcomp"
  submit_all
  [ "$(squeue -h -t PD -o %r | sort -u)" = JobHeldUser ] || fail "jobs are not held"
  run "$refrain" dispatch --dry-run --partitions "$names" --bandwidth 1 --mapping "$mapping" --sensibility "$sensibility"
  expect_code 0
  expect_matches "$out" "^job $(head -n 1 ids) |^$count waiting, 0 with a profile running, 0 without"
  expect_equal "$(squeue -h -t PD -o %r | sort -u)" JobHeldUser
  dispatch --mapping "$mapping" --sensibility "$sensibility"

  # Restarted in the middle, both; what goes on knows only what Slurm has kept.
  for i in $(seq 300); do [ ! -s dispatch.out ] || break; sleep 0.1; done
  restart_slurmctld
  wait_until_over 1
  kill -KILL "$dispatcher"
  wait "$dispatcher" 2>/dev/null || true
  dispatch --mapping "$mapping" --sensibility "$sensibility"
  wait_until_over "$count"
  kill "$dispatcher"
  wait "$dispatcher" || fail "the dispatcher ends with $?"
  expect_matches dispatch.out '^job [0-9]+ \(job[0-9]+\) starts on io[0-9]'
  compare "$mapping" --mapping "$mapping" --sensibility "$sensibility"
}

write_jobs
for mapping in $mappings; do
  for turn in 1 2 3; do
    ended=0
    (attempt "$mapping") || ended=$?
    [ "$ended" -eq "$lost_by_slurm" ] || break
    scancel --quiet --user="$(id -un)" || true
    while [ -n "$(squeue -h)" ]; do sleep 0.2; done
  done
  [ "$ended" -eq 0 ] || exit "$ended"
done
