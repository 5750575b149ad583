# `refrain submit` and `refrain dispatch` where there is no Slurm, or one that answers strangely.
source "$(dirname "$0")/lib.sh"

cat >job.json <<'JSON'
{"machine": {"io_nodes": 1, "nodes_per_io_node": 4, "bandwidth": 1e9},
 "jobs": [{"id": 0, "nodes": 3, "iterations": 5, "compute": 1.5, "io": 2000}]}
JSON
printf '#!/usr/bin/env -S python3 -u\n#SBATCH -t 5\nprint(1)' >job.py

run "$refrain" submit --dry-run --profile job.json job.py
expect_code 0
expect_equal "$(head -n 5 "$out")" 'refrain/1 nodes=3 bandwidth=1e+09 phases=5x1.5+2000
#!/bin/sh
#SBATCH --exclusive
#SBATCH --nodes=3
#SBATCH -t 5'
expect_equal "$(tail -n 1 "$out")" "exec '/usr/bin/env' '-S python3 -u' /dev/fd/9 \"\$@\""
tail -n +2 "$out" >wrapped
run env SLURM_JOB_ID=1 sh wrapped
expect_code 0
expect_equal "$(cat "$out")" 1

# Options of ours and of sbatch in any order, up to the script.
run "$refrain" submit -N 2 --profile=job.json --comment 'for the boss' --dry-run -J x job.py --dry-run
expect_code 0
expect_matches "$out" '^refrain/1 nodes=3 .* phases=5x1.5\+2000 for the boss$'
expect_lacks "$out" '#SBATCH --nodes'
printf '#!/bin/sh\necho hello\n' >job.sh
run "$refrain" submit --dry-run --profile job.json <job.sh
expect_code 0
expect_contains "$out" 'echo hello'

# A scale-free trace needs a number of ranks.
run "$refrain" submit --dry-run --profile "$golden/v3.rfn" job.sh
expect_refused
expect_contains "$err" 'how many ranks'

for line in 'submit --dry-run --profile job.json' 'submit --profile job.py job.sh' 'submit --profile job.json --comment'; do
  run "$refrain" $line </dev/null
  expect_refused
done
run "$refrain" submit --profile job.json --comment "$(printf '%0900d' 0)" job.sh
expect_refused
expect_contains "$err" 'room for the profile'

# Programs named as Slurm's are, which answer as ANSWER says.
mkdir bin
for name in sbatch squeue sinfo scontrol; do
  printf '#!/bin/sh\n. "$ANSWERS/%s"\n' "$name" >"bin/$name"
  chmod +x "bin/$name"
  echo 'echo "$@" >>called' >"$name"
done
export ANSWERS=$work PATH=$work/bin:$PATH
echo 'for word in "$@"; do echo "$word"; done >called; echo "17;cluster"' >sbatch
run "$refrain" submit --profile job.json --json -N 2 job.sh a 'b c'
expect_code 0
expect_matches "$out" '^\{"job_id": 17, "profile": \{"nodes":3,"compute":7.5,"volume":10000.0,"phases":5,'
expect_equal "$(sed 's|/.*/job.sh|job.sh|' called | tr '\n' '|')" \
  '-N|2|--hold|--parsable|--comment=refrain/1 nodes=3 bandwidth=1e+09 phases=5x1.5+2000|job.sh|a|b c|'
expect_equal "$(ls -d "${TMPDIR:-/tmp}"/refrain-submit-* 2>/dev/null | xargs -r grep -ls 'echo hello' || true)" ''
echo 'echo "sbatch: error: invalid partition specified: x" >&2; exit 1' >sbatch
run "$refrain" submit --profile job.json job.sh
expect_refused
expect_equal "$(cat "$err")" 'refrain: sbatch: invalid partition specified: x'

rm -f called
node='{"name": "n1", "state": "idle", "partitions": ["io0"]}'
cat >sinfo <<ANSWER
echo '{"nodes": [$node]}'
ANSWER
queue() { printf "echo '%s'\n" "$1" >squeue; }
held='"job_state": "PENDING", "state_reason": "JobHeldUser", "node_count": 1'
queue "{\"jobs\": [{\"job_id\": 5, \"name\": \"a\", $held, \"comment\": \"refrain/1 nodes=1 phases=1+0\"},
  {\"job_id\": 6, $held, \"comment\": \"refrain/1 nodes=1 phases=0.5+0\"},
  {\"job_id\": 7, $held, \"comment\": \"mine\"}]}"
# A controller that has just been started, or has a clock that is a little ahead, does not know yet what runs.
for seconds in 2 -2; do
  echo '[ "$*" = "show config" ] && echo "BOOT_TIME = '"$(date -d "$seconds seconds ago" +%FT%T)"'" || echo "$@" >>called' >scontrol
  run "$refrain" dispatch --once
  expect_code 0
  expect_empty "$out"
  expect_matches "$err" "^refrain: Slurm's controller was just started"
  expect_no_file called
done
echo '[ "$*" = "show config" ] && echo "BOOT_TIME = '"$(date -d '60 seconds ago' +%FT%T)"'" || echo "$@" >>called' >scontrol
run "$refrain" dispatch --once --mapping make-pack --sensibility 1
expect_code 0
expect_equal "$(cat "$out")" 'planned 2 jobs in 2 packs
job 5 (a) starts on io0, pack 1'
expect_equal "$(cat called)" 'update JobId=5 AdminComment=refrain/1 pack=1 on=io0 by=make-pack/1
update JobId=6 AdminComment=refrain/1 pack=2 on=io0 by=make-pack/1
update JobId=5 Partition=io0 AdminComment=refrain/1 pack=1 on=io0 by=make-pack/1 io-node=0
release 5'
run "$refrain" dispatch --dry-run
expect_code 0
expect_equal "$(cat "$out")" 'job 5 (a) starts on io0
2 waiting, 0 with a profile running, 0 without
alone on the machine, those that wait would take 1.5 s under stretch'

# What Slurm refuses is said, and stops nobody.
echo '[ "$*" != "release 5" ] || { echo "slurm_suspend error: Access/permission denied" >&2; exit 1; }' >scontrol
run "$refrain" dispatch --once
expect_code 0
expect_equal "$(cat "$err")" 'refrain: job 5: scontrol: slurm_suspend error: Access/permission denied'
for answer in 'exit 3' 'echo nonsense' 'echo "{}"' 'kill -9 $$' \
  'echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1' \
  "echo '{\"jobs\": [], \"errors\": [{\"error\": \"Unspecified error\"}]}'"; do
  echo "$answer" >squeue
  run "$refrain" dispatch --once
  expect_refused
done
rm bin/squeue
PATH=$work/bin run "$refrain" dispatch --once
expect_refused
expect_contains "$err" 'is Slurm installed?'
