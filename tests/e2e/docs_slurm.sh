# The page of the manual about Slurm, run with a real one. REFRAIN_UPDATE=1 writes what was printed into it.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_slurm.sh"
need python3
start_slurm 4 2
run python3 "$source_tree/tests/run_docs.py" ${REFRAIN_UPDATE:+--update} "$source_tree/docs/tasks/coordinate-with-slurm.md"
[ "$code" -eq 0 ] || cat "$out" >&2
expect_code 0
