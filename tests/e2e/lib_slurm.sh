# Sourced behind lib.sh by tests that need Slurm: starts one of their own, of four nodes on this machine, below $base
# and on ports that nobody uses; it ends with the test. SLURM_CONF tells every command which one is meant.

# start_slurm  Skips the test where Slurm is missing or may not be started.
start_slurm() {
  need srun sbatch slurmctld slurmd scontrol
  [ "$(id -u)" -eq 0 ] || { echo "skipped: only root may start Slurm's daemons"; exit 77; }
  slurm=$base/slurm
  mkdir -p "$slurm"/{state,spool} "$slurm"/tmp/n{1,2,3,4}
  local try
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
  local host port ports
  host=$(hostname)
  mapfile -t ports < <(python3 -c '
import random, socket
while True:
    first = random.randrange(20000, 32000, 8)
    sockets = [socket.socket() for _ in range(5)]
    try:
        for n, s in enumerate(sockets): s.bind(("127.0.0.1", first + n))
    except OSError: continue
    finally: [s.close() for s in sockets]
    print(first)
    break')
  port=${ports[0]}
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
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 4))] CPUs=16
PartitionName=test Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
CONF
}

start_slurm_daemons() {
  local node i
  slurmctld -c >>"$slurm/start.log" 2>&1 || return 1
  for node in n1 n2 n3 n4; do slurmd -N "$node" >>"$slurm/start.log" 2>&1 || return 1; done
  for i in $(seq 200); do
    [ "$(sinfo -h -o %A 2>/dev/null)" != 0/4 ] || return 0
    sleep 0.1
  done
  return 1
}

# By their numbers: other tests have daemons of their own.
stop_slurm() {
  local file pid i
  scancel --user=root >/dev/null 2>&1 || true
  for file in "$slurm"/n?.pid "$slurm/slurmctld.pid"; do
    pid=$(cat "$file" 2>/dev/null) || continue
    kill "$pid" 2>/dev/null || continue
    for i in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
    kill -KILL "$pid" 2>/dev/null || true
  done
}
