# Slurm's controller and the dispatcher are killed (SIGKILL) and started again while jobs wait, start and run: all jobs do
# their work in the end. What the controller had not saved when it was killed is gone: a job that it forgets to have
# started is held again, and started again. REFRAIN_STORM=N: so many times each.
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
  "$refrain" dispatch --mapping easy --partitions io0,io1 --bandwidth 1e9 --interval 0.1 --settle 4 \
    >>dispatch.out 2>>dispatch.err &
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
  { squeue; cat dispatch.out dispatch.err; tail -n 5 "$slurm/slurmctld.log"; } >&2
  fail "waited in vain until $1"
}
have_ended() { [ "$(ls done.* 2>/dev/null | wc -l)" -eq 4 ] && [ -z "$(squeue -h 2>/dev/null || echo away)" ]; }

dispatch
for fault in $(for i in $(seq "$storm"); do echo kill_slurmctld kill_dispatcher; done); do
  kill -STOP "$dispatcher"
  rm -f done.*
  for job in 1 2 3 4; do
    run "$refrain" submit --profile app.rfn -J "job$job" -N 2 --output=/dev/null --wrap "sleep 0.3; touch done.$job"
    expect_code 0
  done
  touch submitted
  [ "$fault" = kill_dispatcher ] || wait_until 'the jobs are saved' 30 is_saved
  kill -CONT "$dispatcher"
  sleep "$((RANDOM % 3)).$((RANDOM % 10))"
  "$fault"
  wait_until 'all jobs have ended' 60 have_ended
done
[ "$storm" -eq 1 ] || echo "slurmctld and refrain dispatch: killed and started again $storm times each"
