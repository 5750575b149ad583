# Recorded jobs of Slurm as people run them: arrays, whose elements are recordings of their own; heterogeneous steps,
# one program on different nodes with one MPI_COMM_WORLD; jobs that are cut off by their time limit or by scancel,
# whose traces have what happened until then and say how they ended.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_slurm.sh"
need mpirun perl "$examples/iosample"
start_slurm
export OMPI_MCA_btl=self,tcp
run srun -Q --mpi=list
grep -q pmix "$err" "$out" || { echo "skipped: this Slurm has no pmix"; exit 77; }
ranks='[p["ranks"] for p in trace["processes"] if p["ranks"]]'

cat >"$base/writer.pl" <<'SCRIPT'
open my $file, '>', "log.$ARGV[0].$ENV{SLURM_PROCID}" or die;
for (1 .. 200000) {
  syswrite $file, "a line of so many words\n";
  select undef, undef, undef, 0.002;
}
SCRIPT
# start_long NAME [OPTION...]  Sets `id` to the number of a job that would write for minutes.
start_long() {
  cat >"$base/long" <<SCRIPT
#!/bin/sh
srun -n 4 "$refrain" record -o "$base/$1.rfn" -- perl "$base/writer.pl" $1
SCRIPT
  id=$(sbatch --parsable -n 4 -o "$base/$1.out" "${@:2}" "$base/long")
}
# Slurm counts in minutes, so this takes one and a half: only with REFRAIN_LONG=1, and while the others run.
limited=
if [ "${REFRAIN_LONG:-0}" = 1 ]; then
  start_long limit -t 1
  limited=$id
fi

# An array: each element has a trace of its own, although they run side by side and in one folder.
cat >"$base/element" <<SCRIPT
#!/bin/sh
mkdir -p "e\$SLURM_ARRAY_TASK_ID" && cd "e\$SLURM_ARRAY_TASK_ID" || exit
srun --mpi=pmix -n 2 "$refrain" record -q -o "$base/element\$SLURM_ARRAY_TASK_ID.rfn" -- "$examples/iosample"
SCRIPT
run timeout 100 sbatch -W --array=1-4 -n 2 -o "$base/element.%a.out" "$base/element"
expect_code 0
for i in 1 2 3 4; do
  cat "$base/element.$i.out" >>"$err"
  mv "$base/element$i.rfn" "$base/traced.rfn"
  expect_equal "$(info "$ranks")" "['0..1']"
  expect_equal "$(info 'trace["complete"]')" True
  mv "$base/traced.rfn" "$base/element$i.rfn"
  run "$refrain" diff "$base/element1.rfn" "$base/element$i.rfn"
  expect_code 0
done

# A heterogeneous step: two components with different numbers of tasks, one world.
cat >"$base/mixed" <<SCRIPT
#!/bin/sh
#SBATCH -N 1 -n 1
#SBATCH hetjob
#SBATCH -N 1 -n 3
srun --mpi=pmix --het-group=0,1 "$refrain" record -o "$base/mixed.rfn" -- "$examples/iosample"
SCRIPT
run timeout 100 sbatch -W -o "$base/mixed.out" "$base/mixed"
cat "$base/mixed.out" >>"$err"
expect_code 0
mv "$base/mixed.rfn" "$base/traced.rfn"
expect_equal "$(info "$ranks")" "['0..3']"
rm "$base/traced.rfn"

# cut_off NAME ID  The job has ended before it was done. What the recorder inside srun leaves is a trace, or parts that
# `refrain merge` makes one of; all four ranks are in it, and none has ended well.
cut_off() {
  for _ in $(seq 1200); do [ -n "$(squeue -h -j "$2" 2>/dev/null)" ] || break; sleep 0.1; done
  cat "$base/$1.out" >"$err"
  [ -f "$base/$1.rfn" ] || { run "$refrain" merge "$base/$1.rfn.parts" -o "$base/$1.rfn"; expect_code 0; }
  mv "$base/$1.rfn" "$base/traced.rfn"
  expect_equal "$(info "$ranks")" "['0..3']"
  expect_equal "$(info 'any(p["ending"] == "exited" for p in trace["processes"])')" False
  [ "$(info 'trace["outer"]["bytes_written"]')" -ge 4000 ] || fail "the trace of $1 has too little"
}
start_long scancel
for _ in $(seq 300); do [ "$(cat log.scancel.3 2>/dev/null | wc -l)" -lt 100 ] || break; sleep 0.1; done
scancel "$id"
cut_off scancel "$id"
if [ -n "$limited" ]; then
  cut_off limit "$limited"
  expect_contains "$base/limit.out" 'TIME LIMIT'
fi
