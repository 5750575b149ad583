# The pages of the manual that tell how to do something: every command in them is run, and prints what they show.
# REFRAIN_UPDATE=1 writes what was printed into the pages.
source "$(dirname "$0")/lib.sh"
need mpirun python3 make
for example in checkpoint jacobi vorpalio; do
  [ -x "$examples/$example" ] || { echo "skipped: $example was not built"; exit 77; }
done
# That about Slurm, which has to be started, has a test of its own.
pages=$(ls "$source_tree"/docs/tasks/*.md | grep -v slurm)
run python3 "$source_tree/tests/run_docs.py" ${REFRAIN_UPDATE:+--update} $pages
[ "$code" -eq 0 ] || cat "$out" >&2
expect_code 0
