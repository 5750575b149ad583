# Sourced behind lib.sh by tests that need Slurm: starts one of their own, of nodes on this machine, below $base
# and on ports that nobody uses; it ends with the test. SLURM_CONF tells every command which one is meant.

# start_slurm [NODES [PARTITIONS]]  Four nodes n1, n2, ... in a partition `test`; or as many as given, and beside
# `queue`, which has them all, so many partitions io0, io1, ... of equal size. Skips the test where Slurm is missing or
# may not be started.
start_slurm() {
  need srun sbatch slurmctld slurmd scontrol
  [ "$(id -u)" -eq 0 ] || { echo "skipped: only root may start Slurm's daemons"; exit 77; }
  slurm=$base/slurm
  slurm_nodes=${1:-4}
  slurm_partitions=${2:-0}
  mkdir -p "$slurm"/{state,spool}
  local try i
  for i in $(seq "$slurm_nodes"); do mkdir -p "$slurm/tmp/n$i"; done
  for try in 1 2 3; do
    write_slurm_conf
    export SLURM_CONF=$slurm/slurm.conf
    trap 'stop_slurm; rm -rf "$base"' EXIT
    if start_slurm_daemons; then return 0; fi
    stop_slurm  # another program took one of the ports
  done
  tail -n 5 "$slurm"/*.log >&2
  fail "Slurm does not start"
}

# Ports below those that the system gives to clients.
write_slurm_conf() {
  local host port
  host=$(hostname)
  port=$(python3 -c '
import random, socket, sys
count = int(sys.argv[1]) + 1
while True:
    first = random.randrange(20000, 32000, 8)
    sockets = [socket.socket() for _ in range(count)]
    try:
        for n, s in enumerate(sockets): s.bind(("127.0.0.1", first + n))
    except OSError: continue
    finally: [s.close() for s in sockets]
    print(first)
    break' "$slurm_nodes")
  cat >"$slurm/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool/%n
TmpFS=$slurm/tmp/%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$slurm/jobcomp
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,defer_batch
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
NodeName=n[1-$slurm_nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + slurm_nodes))] CPUs=16
$(slurm_partition_lines)
CONF
}

slurm_partition_lines() {
  local i each
  if [ "$slurm_partitions" -eq 0 ]; then
    echo "PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
    return
  fi
  echo "PartitionName=queue Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
  each=$((slurm_nodes / slurm_partitions))
  for i in $(seq 0 $((slurm_partitions - 1))); do
    echo "PartitionName=io$i Nodes=n[$((i * each + 1))-$((i * each + each))] MaxTime=INFINITE State=UP"
  done
}

start_slurm_daemons() {
  local i
  start_slurmctld || return 1
  for i in $(seq "$slurm_nodes"); do slurmd -N "n$i" >>"$slurm/start.log" 2>&1 || return 1; done
  for i in $(seq 200); do
    [ "$(sinfo -h -N -o '%N %t' 2>/dev/null | sort -u | grep -c ' idle$')" -ne "$slurm_nodes" ] || return 0
    sleep 0.1
  done
  return 1
}

# start_slurmctld [OPTION...]  Without an option it forgets what was before.
start_slurmctld() { slurmctld "${@:--c}" >>"$slurm/start.log" 2>&1; }

# restart_slurmctld  In good order: in a crash it would lose what came in its last seconds.
restart_slurmctld() {
  local pid
  pid=$(cat "$slurm/slurmctld.pid")
  kill "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  start_slurmctld -R
}

# By their numbers: other tests have daemons of their own.
stop_slurm() {
  local file pid pids=() i
  scancel --user=root >/dev/null 2>&1 || true
  for file in "$slurm"/n*.pid "$slurm/slurmctld.pid"; do
    pid=$(cat "$file" 2>/dev/null) || continue
    ! kill "$pid" 2>/dev/null || pids+=("$pid")
  done
  for pid in "${pids[@]}"; do
    for i in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
    kill -KILL "$pid" 2>/dev/null || true
  done
}
