# From recorded parallel programs to a plan: `refrain jobs` finds their phases and bytes.
source "$(dirname "$0")/lib.sh"
need mpirun "$examples/jacobi" "$examples/checkpoint"

phases='def phases(job):
    if "phases" not in job: return [[job["compute"], job["io"]]] * job["iterations"]
    return [q for p in job["phases"] for q in (p["phases"] * p["repeat"] if isinstance(p, dict) else [p])]'
# of JOB EXPRESSION  Over `job`, the list of its phases being phases(job).
of() { python3 -c "import json, sys
$phases
job = json.load(open('jobs.json'))['jobs'][$1]
print($2)"; }

"$refrain" record -q -o jacobi.rfn -- mpirun -n 4 "$examples/jacobi" --iterations 60 --interval 10 </dev/null >/dev/null
"$refrain" record -q -o checkpoint.rfn -- mpirun -n 2 "$examples/checkpoint" </dev/null >/dev/null

# With a threshold below every gap each frame is a phase: six, of the whole field, in one loop.
run "$refrain" jobs --gap 1e-9 jacobi.rfn checkpoint.rfn -o jobs.json
expect_code 0
expect_lines "$err" 2
expect_equal "$(of 0 'job["name"], job["nodes"], job["id"]')" 'jacobi 4 0'
expect_equal "$(of 0 'sum(p[1] for p in phases(job))')" "$((6 * 4 * 32 * 32 * 8)).0"
expect_equal "$(of 0 'sum(1 for p in phases(job) if p[1] == 4 * 32 * 32 * 8)')" 6
expect_equal "$(of 0 'all(p[0] >= 0 for p in phases(job))')" True
expect_matches jobs.json 'times are averages'
"$refrain" info --json checkpoint.rfn >info.json
expect_equal "$(of 1 'sum(p[1] for p in phases(job))')" \
  "$(json info.json 'float(data["outer"]["bytes_written"] + data["outer"]["bytes_read"])')"

# With one above every gap all is one phase.
run "$refrain" jobs -q --gap 1000 jacobi.rfn -o jobs.json
expect_code 0
expect_empty "$err"
expect_equal "$(of 0 'len([p for p in phases(job) if p[1] > 0])')" 1

run "$refrain" jobs -q --gap 1e-9 --ranks-per-node 2 --io-nodes 2 --bandwidth 1e8 jacobi.rfn checkpoint.rfn
expect_code 0
cp "$out" jobs.json
expect_equal "$(of 0 'job["nodes"]')" 2
run "$refrain" schedule plan jobs.json --mapping easy --json
expect_code 0
cp "$out" plan.json
expect_equal "$(json plan.json '[len(p["jobs"]) for p in data["partitions"]]')" '[1, 1]'

run "$refrain" jobs missing.rfn
expect_refused
run "$refrain" record -q -o nothing.rfn -- true
run "$refrain" jobs nothing.rfn
expect_refused
expect_contains "$err" 'no process of the trace read or wrote any data'
