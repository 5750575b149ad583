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
expect_lines "$err" 3
expect_matches "$err" 'an I/O node moves .*/s: what the calls of job [01] saw, (waiting for the disk included|which may be the page cache: none waited for the disk); --machine FILE or --bandwidth say it better$'
expect_matches jobs.json 'bandwidth of an I/O node: what the calls of job'
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

# The bandwidth of a machine: of each I/O node, but together they are no faster than the storage behind them; as a file
# says it, as it was measured here, and as asked for.
bandwidth() { json jobs.json 'data["machine"]["bandwidth"]'; }
cat >machine.json <<'END'
{"nodes": 8, "io_nodes": {"count": 4, "bandwidth": 5e8}, "servers": {"count": 2, "targets": 3},
 "target": {"read_bandwidth": 2e8, "write_bandwidth": 1e8}}
END
run "$refrain" jobs --machine machine.json jacobi.rfn checkpoint.rfn -o jobs.json
expect_code 0
expect_contains "$err" 'an I/O node moves 150 MB/s: the machine of machine.json'
expect_equal "$(bandwidth)" 150000000.0
expect_equal "$(json jobs.json 'data["machine"]["io_nodes"], data["machine"]["nodes_per_io_node"]')" '(4, 6)'
run "$refrain" jobs -q --machine machine.json --bandwidth 7e7 --io-nodes 1 jacobi.rfn -o jobs.json
expect_code 0
expect_empty "$err"
expect_equal "$(bandwidth)" 70000000.0
expect_equal "$(json jobs.json 'data["machine"]["io_nodes"]')" 1
expect_contains jobs.json 'bandwidth of an I/O node: as asked for'
"$refrain" simulate --calibrate . -o here.json 2>/dev/null
run "$refrain" jobs --machine here.json jacobi.rfn -o jobs.json
expect_code 0
expect_matches "$err" 'an I/O node moves .*/s: the machine of here.json'
expect_equal "$(json here.json 'min(data["target"]["write_bandwidth"], data["target"]["read_bandwidth"]) * 1.0' |
  cut -c 1-6)" "$(bandwidth | cut -c 1-6)"
run "$refrain" jobs --machine nowhere jacobi.rfn
expect_refused

# Time in fsync is I/O: the bandwidth is that of the disk.
cat >sync.py <<'END'
import os
fd = os.open("data", os.O_WRONLY | os.O_CREAT, 0o644)
os.write(fd, b"x" * (1 << 20))
os.fsync(fd)
END
"$refrain" record -q -o sync.rfn -- /usr/bin/python3 sync.py
run "$refrain" jobs sync.rfn -o jobs.json
expect_code 0
expect_contains "$err" 'what the calls of job 0 saw, waiting for the disk included'

run "$refrain" jobs missing.rfn
expect_refused
run "$refrain" record -q -o nothing.rfn -- true
run "$refrain" jobs nothing.rfn
expect_refused
expect_contains "$err" 'no process of the trace read or wrote any data'
