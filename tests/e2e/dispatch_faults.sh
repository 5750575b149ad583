# Slurm's controller and the dispatcher are killed (SIGKILL) and started again while jobs wait, start and run: all jobs do
# their work in the end. What the controller had not saved when it was killed is gone: a job that it forgets to have
# started is held again, and started again. If the job has ended before its node reported, Slurm 22.05 takes the second
# start for a duplicate and drains the node, whoever starts it; then we do what an operator does.
# REFRAIN_STORM=N: so many times each.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_slurm.sh"
start_slurm 4 2
storm=${REFRAIN_STORM:-1}
dispatcher=
end_dispatcher() {
  [ -z "$dispatcher" ] || kill -KILL "$dispatcher" 2>/dev/null || true
  [ -z "$dispatcher" ] || wait "$dispatcher" 2>/dev/null || true
}
trap 'end_dispatcher; stop_slurm; rm -rf "$base"' EXIT
"$refrain" record -q -o app.rfn -- dd if=/dev/zero of=data bs=1M count=4 status=none

dispatch() {
  "$refrain" dispatch --mapping easy --partitions io0,io1 --bandwidth 1e9 --interval 0.1 \
    --settle "${REFRAIN_SETTLE:-5}" >>dispatch.out 2>>dispatch.err &
  dispatcher=$!
}
kill_dispatcher() {
  end_dispatcher
  dispatch
}
kill_slurmctld() {
  local pid
  pid=$(cat "$slurm/slurmctld.pid")
  kill -KILL "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  start_slurmctld -R
}
# The controller has saved the jobs as they are now: it does so some time after each change.
is_saved() { [ "$slurm/state/job_state" -nt submitted ]; }
wait_until() {  # WHAT SECONDS COMMAND...
  local i
  for i in $(seq $(($2 * 10))); do
    ! "${@:3}" || return 0
    sleep 0.1
  done
  { squeue; cat dispatch.out dispatch.err; tail -n 30 "$slurm/slurmctld.log"; } >&2
  fail "waited in vain until $1"
}
drained=0 lost=0
submit() {
  run "$refrain" submit --profile app.rfn -J "job$1" -N 2 --output=/dev/null --wrap "sleep $((RANDOM % 2 * 3)).3; touch done.$1"
  expect_code 0
}
# Nodes that Slurm takes out, jobs that it holds by itself, and such that it starts again in two minutes only.
mend_slurm() {
  local node job
  for node in $(sinfo -h -N -o '%N %t' 2>/dev/null | sed -nE 's/ (drain|drng).*//p' | sort -u); do
    drained=$((drained + 1))
    kill "$(cat "$slurm/$node.pid")"
    while [ -e "$slurm/$node.pid" ]; do sleep 0.05; done
    slurmd -N "$node" >>"$slurm/start.log" 2>&1
    scontrol update "NodeName=$node" State=RESUME || true
  done
  for job in $(squeue -h -o '%i %r' 2>/dev/null | sed -n 's/ launch failed requeued held$//p'); do
    scontrol release "$job" || true
  done
  for job in $(squeue -h -o '%i %r' 2>/dev/null | sed -n 's/ BeginTime$//p'); do
    scontrol update "JobId=$job" StartTime=now || true
  done
}
have_ended() {
  mend_slurm
  if [ "$fault" = kill_slurmctld ] && [ "$(squeue -h 2>/dev/null || echo away)" = '' ]; then
    for job in 1 2 3 4; do  # a controller that was killed may take a job that its nodes end for one that is done
      [ -e "done.$job" ] || { lost=$((lost + 1)) && submit "$job"; }
    done
  fi
  [ "$(ls done.* 2>/dev/null | wc -l)" -eq 4 ] && [ -z "$(squeue -h 2>/dev/null || echo away)" ]
}

dispatch
for fault in $(for i in $(seq "$storm"); do echo kill_slurmctld kill_dispatcher; done); do
  kill -STOP "$dispatcher"
  rm -f done.*
  for job in 1 2 3 4; do
    submit "$job"
  done
  touch submitted
  [ "$fault" = kill_dispatcher ] || wait_until 'the jobs are saved' 30 is_saved
  kill -CONT "$dispatcher"
  sleep "$((RANDOM % 3)).$((RANDOM % 10))"
  "$fault"
  wait_until 'all jobs have ended' 200 have_ended
done
[ "$storm" -eq 1 ] || echo "slurmctld and refrain dispatch: killed and started again $storm times each; Slurm drained $drained nodes and lost $lost jobs"
