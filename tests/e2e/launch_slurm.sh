# The recorder around and inside srun, with MPI (pmix) and without, on one node and on several; and in a batch script,
# whose processes are no ranks although Slurm's variables say how many there could be.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_slurm.sh"
need mpirun "$examples/iosample"
start_slurm
export OMPI_MCA_btl=self,tcp
run srun -Q --mpi=list
grep -q pmix "$err" "$out" || { echo "skipped: this Slurm has no pmix"; exit 77; }

ranks='[p["ranks"] for p in trace["processes"] if p["ranks"]]'
# calls FILE  What the ranks did, without times.
calls() { "$refrain" dump --expand --no-times "$1" | grep -vE '^(trace|note|process) '; }

run "$refrain" record -q -o "$base/around.rfn" -- srun -Q --mpi=pmix -n 4 "$examples/iosample"
expect_code 0
calls "$base/around.rfn" >"$base/around.calls"

for nodes in 1 2; do
  rm -rf "$base/traced.rfn"*
  run timeout 60 srun -Q --mpi=pmix -N "$nodes" -n 4 "$refrain" record -o "$base/traced.rfn" -- "$examples/iosample"
  expect_code 0
  expect_lines "$err" 1
  expect_no_file "$base/traced.rfn.parts"
  expect_equal "$(info "$ranks")" "['0..3']"
  calls "$base/traced.rfn" >"$base/inside.calls"
  expect_same "$base/around.calls" "$base/inside.calls"
done

# Without MPI.
rm -rf "$base/traced.rfn"*
run timeout 60 srun -Q -n 3 "$refrain" record -q -o "$base/traced.rfn" -- sh -c 'echo $SLURM_PROCID >rank.$SLURM_PROCID'
expect_code 0
expect_equal "$(info "$ranks")" "['0..2']"

# What an earlier recording left is in the way: one rank says so, and the program runs on all of them.
mkdir "$base/traced.rfn.parts"
echo foreign >"$base/traced.rfn.parts/session"
run timeout 60 srun -Q --mpi=pmix -n 4 "$refrain" record -o "$base/traced.rfn" -- "$examples/iosample"
expect_code 0
expect_lines "$err" 1
expect_contains "$err" 'nothing is recorded'
expect_file iosample_posix.00003
rm -rf "$base/traced.rfn"*

# In a batch script: the script's own programs are no ranks; those of mpirun and srun are, each of their own job.
cat >"$base/script" <<SCRIPT
#!/bin/sh
"$refrain" record -q -o "$base/alone.rfn" -- sh -c 'echo alone >alone'
"$refrain" record -q -o "$base/mpirun.rfn" -- mpirun -n 2 "$examples/iosample"
srun --mpi=pmix -n 2 "$refrain" record -q -o "$base/srun.rfn" -- "$examples/iosample"
"$refrain" generate -q "$base/srun.rfn" -o kernel && make -s -C kernel
srun --mpi=pmix -n 2 kernel/iosample
SCRIPT
run timeout 100 sbatch -W -n 4 -o "$base/batch.out" "$base/script"
expect_code 0
cat "$base/batch.out" >>"$err"
mv "$base/alone.rfn" "$base/traced.rfn"
expect_equal "$(info "$ranks")" "[]"
for launcher in mpirun srun; do
  mv "$base/$launcher.rfn" "$base/traced.rfn"
  expect_equal "$(info "$ranks")" "['0..1']"
done
expect_equal "$(find . -maxdepth 1 -name 'iosample.run-*' | wc -l)" 1
