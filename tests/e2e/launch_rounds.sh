# Every launcher, with the recorder around it and inside it: the trace has all ranks and the same calls each time.
# REFRAIN_ROUNDS says how often (1).
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_slurm.sh"
need mpirun mpicc.mpich mpirun.mpich "$examples/iosample"
start_slurm
mpicc.mpich -O1 -o "$base/iosample" "$source_tree/examples/iosample.c" -lm
ranks='[p["ranks"] for p in trace["processes"] if p["ranks"]]'
run srun -Q --mpi=list
cat "$out" "$err" >"$base/plugins"

# launched NAME LAUNCHER...  Runs `program` on four ranks.
launched() {
  local name=$1 way before=("$refrain" record -q -o "$base/traced.rfn" --)
  shift
  for way in around inside; do
    rm -rf "$base/traced.rfn"*
    case $way in
      around) run timeout 120 "${before[@]}" "$@" "${program[@]}" </dev/null ;;
      inside) run timeout 120 "$@" "${before[@]}" "${program[@]}" </dev/null ;;
    esac
    expect_code 0
    expect_no_file "$base/traced.rfn.parts"
    expect_equal "$(info "$ranks")" "['0..3']"
    for rank in 0 1 2 3; do "$refrain" dump --expand --no-times --rank "$rank" "$base/traced.rfn"; done |
      grep -vE '^(trace|note|process) ' >"$base/$name.calls"
    [ -e "$base/first.calls" ] || cp "$base/$name.calls" "$base/first.calls"
    [ "$name" = none ] || expect_same "$base/first.calls" "$base/$name.calls"
  done
}

for round in $(seq "${REFRAIN_ROUNDS:-1}"); do
  program=("$examples/iosample")
  launched mpirun mpirun -n 4
  ! grep -q pmix "$base/plugins" || OMPI_MCA_btl=self,tcp launched pmix srun -Q --mpi=pmix -N 2 -n 4
  program=("$base/iosample")
  launched hydra mpirun.mpich -n 4
  ! grep -q pmi2 "$base/plugins" || launched pmi2 srun -Q --mpi=pmi2 -n 4
  program=(sh -c 'echo $SLURM_PROCID >rank.$SLURM_PROCID')
  launched none srun -Q --mpi=none -N 2 -n 4
done
