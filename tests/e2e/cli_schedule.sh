# The commands below `refrain schedule`, from a workload to a plan, and what they say about bad input.
source "$(dirname "$0")/lib.sh"

for command in generate simulate compare plan; do
  run "$refrain" schedule "$command" --help
  expect_code 0
  expect_contains "$out" "Usage: refrain schedule $command"
  expect_contains "$out" 'Example:'
  cp "$out" by_option
  run "$refrain" help schedule "$command"
  expect_same by_option "$out"
done
run "$refrain" schedule
expect_refused
run "$refrain" schedule simlate x
expect_refused
expect_contains "$err" "Did you mean 'simulate'?"

# Table 1 of the paper.
run "$refrain" schedule generate --paper-table1 -o table1.json
expect_code 0
expect_empty "$out"
run "$refrain" schedule simulate table1.json --mapping first-fit --json
expect_code 0
cp "$out" result.json
expect_equal "$(json result.json 'data["makespan"]')" 15249.0
expect_equal "$(json result.json 'round(data["max_stretch"], 3)')" 1.452
expect_equal "$(json result.json 'data["packs"], data["lower_bound"], len(data["jobs"])')" '(1, 12500.0, 5)'
expect_equal "$(json result.json 'sorted(data["jobs"][0])')" "['end', 'id', 'nodes', 'partition', 'start', 'stretch']"
expect_equal "$(json result.json 'round(sum(data["node_time"].values()), 6)')" 15249.0
run "$refrain" schedule simulate table1.json --mapping first-fit --gantt gantt.svg
expect_code 0
expect_contains "$out" 'makespan   15249 s, 1.220 times the lower bound of 12500 s (I/O volume)'
expect_contains gantt.svg '</svg>'
# The picture in the docs: jobs by their names, I/O, waiting for it, a legend.
run "$refrain" schedule simulate "$source_tree/docs/schedule_jobs.json" --policy stretch --mapping first-fit --gantt docs.svg
expect_code 0
for text in climate '50 s' 'waiting for I/O' 'I/O node busy' '3 or more'; do expect_contains docs.svg ">$text<"; done
expect_same docs.svg "$source_tree/docs/schedule.svg"
run "$refrain" schedule simulate table1.json --gantt gantt.png
expect_refused
expect_contains "$err" 'pictures are drawn as SVG'
expect_no_file gantt.png

# What happened below what was simulated.
"$refrain" schedule simulate table1.json --mapping first-fit --json >happened.json
run "$refrain" schedule simulate table1.json --mapping first-fit --gantt both.svg --happened happened.json
expect_code 0
expect_contains both.svg ', simulated: makespan'
expect_contains both.svg ', as it happened: makespan'
sed -i 's/"partition": 0/"partition": 9/' happened.json
run "$refrain" schedule simulate table1.json --gantt both.svg --happened happened.json
expect_refused
run "$refrain" schedule simulate table1.json --happened happened.json
expect_refused

# The example of the documentation.
cat >jobs.json <<'JOBS'
{"machine": {"io_nodes": 5, "nodes_per_io_node": 2048, "bandwidth": 1.0},
 "jobs": [{"id": 0, "nodes": 128, "release": 0, "iterations": 589, "compute": 32.4, "io": 27.5},
          {"id": 1, "name": "restart", "nodes": 4, "phases": [[10.0, 5.0], [3.0, 0.0]]}]}
JOBS
run "$refrain" schedule simulate jobs.json --policy stretch --mapping easy --sensibility 1.5 --json
expect_code 0
cp "$out" result.json
expect_equal "$(json result.json 'round(data["makespan"], 6), data["max_stretch"]')" '(35281.1, 1.0)'
run "$refrain" schedule plan jobs.json
expect_code 0
expect_matches "$out" '^0 +1 +0 +128 +1 +0 +35281\.1$'
run "$refrain" schedule plan jobs.json --json --mapping easy
expect_code 0
cp "$out" plan.json
expect_equal "$(json plan.json '[len(p["jobs"]) for p in data["partitions"]]')" '[1, 1, 0, 0, 0]'
expect_equal "$(json plan.json 'data["partitions"][1]["jobs"][0]["name"], data["partitions"][1]["jobs"][0]["end"]')" "('restart', 18.0)"
for sharing in shared preemptive unlimited; do
  run "$refrain" schedule simulate table1.json --sharing $sharing
  expect_code 0
done
run "$refrain" schedule simulate table1.json --sharing shared --degradation 0.11 --mapping first-fit
expect_code 0

# Equal seeds, equal workloads; comparing them, the number of threads changes nothing.
run "$refrain" schedule generate --load 2 --jobs 8 --nodes-per-io-node 64 --count 3 --seed 5 -o many
expect_code 0
run "$refrain" schedule generate --load 2 --jobs 8 --nodes-per-io-node 64 --seed 5 --number 1
expect_code 0
expect_same "$out" many/0001.json
run "$refrain" schedule compare many/*.json --policies fifo,stretch --mappings all --sensibilities 1,alpha -o first
expect_code 0
expect_contains "$out" 'portfolio S=1 stretch'
expect_lines first/comparison.csv $((1 + 3 * 18))
expect_contains first/comparison.svg '</svg>'
run "$refrain" schedule compare many/*.json --policies fifo,stretch --mappings all --sensibilities 1,alpha --threads 1 -o second
expect_same first/comparison.csv second/comparison.csv
expect_same first/comparison.json second/comparison.json
run "$refrain" schedule compare --paper --per-load 1 -o figures
expect_code 0
expect_matches "$out" '^longest-io +1\.833 +1\.262$'
for figure in 05 06 07 10 11 12 13 14 15; do
  expect_contains figures/figure$figure.svg '</svg>'
  expect_contains figures/index.html figure$figure.svg
done

# Bad input: one line that names the job and the field.
refused() {
  echo "{\"machine\": {\"io_nodes\": 1, \"nodes_per_io_node\": 8}, \"jobs\": [$1]}" >bad.json
  run "$refrain" schedule simulate bad.json
  expect_refused
  expect_contains "$err" "$2"
}
refused '{"id": 4, "nodes": 1, "compute": -1, "io": 1}' 'bad.json, job 4, compute: must not be negative'
refused '{"id": 4, "nodes": 1, "compute": 1, "io": NaN}' 'bad.json: is not JSON'
refused '{"id": 4, "nodes": 9, "compute": 1, "io": 1}' 'job 4, nodes: 9 are more than the 8'
refused '{"id": 4, "nodes": 1, "iterations": 1000000000, "compute": 1, "io": 1}' 'job 4, iterations: 1000000000 phases'
refused '{"id": 4, "nodes": 1, "compute": 1, "io": 1}, {"id": 4, "nodes": 1, "compute": 1, "io": 1}' 'job 4, id: two jobs'
run "$refrain" schedule simulate jobs.json --nodes-per-io-node 64
expect_refused
expect_contains "$err" 'job 0, nodes'
run "$refrain" schedule simulate jobs.json --policy lifo
expect_refused
expect_contains "$err" "--policy: no policy is named 'lifo'"
run "$refrain" schedule simulate jobs.json --mapping best
expect_refused
run "$refrain" schedule simulate jobs.json --sensibility none
expect_refused
run "$refrain" schedule simulate missing.json
expect_refused
run "$refrain" schedule compare
expect_refused
run "$refrain" schedule compare --paper
expect_refused
run "$refrain" schedule generate -o missing/folder/jobs.json
expect_refused
