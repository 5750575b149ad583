# `srun refrain run`: the tasks of a step are one job, with Slurm's number, whichever nodes they are on; two steps take
# turns.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_slurm.sh"
source "$(dirname "$0")/lib_gate.sh"
start_slurm
trap 'stop_coordinator; stop_slurm; rm -rf "$base"' EXIT
start_coordinator

# step NAME  Four tasks on two nodes, the phases of which tell NAME.
step() {
  srun -Q -N 2 -n 4 --overlap bash -c 'exec "$0" run --insecure --coordinator "$1" --gate-bytes 0 --exclude "**/*.txt" -- \
    "$2" '"$1"'.$SLURM_PROCID 3 4' "$refrain" "$address" "$programs/turns" >"$1.out" 2>"$1.err" </dev/null || true
  grep -vE '^srun: error: .* Exited with exit code 7$' "$1.err" >"$1.said" || true
  sed -E 's/^([a-z]+)\.[0-9]+ /\1 /' "$1.out" >"$1.txt"
}
step a &
first=$!
step b
wait "$first"
for name in a b; do
  expect_lines "$name.txt" 12
  [ ! -s "$name.said" ] || { cat "$name.said" >&2; fail "somebody said something"; }
done
expect_turns a.txt b.txt
expect_equal "$(events job)" 2
