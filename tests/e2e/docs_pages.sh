# The pages of the manual that tell how to do something: every command in them is run, and prints what they show.
# REFRAIN_UPDATE=1 writes what was printed into the pages.
source "$(dirname "$0")/lib.sh"
need mpirun python3 make
for example in checkpoint jacobi vorpalio vpicio; do
  [ -x "$examples/$example" ] || { echo "skipped: $example was not built"; exit 77; }
done
"$refrain" --version --verbose >built_with
for library in SimGrid npm; do
  grep -q "($library): yes" built_with || { echo "skipped: built without $library"; exit 77; }
done
# That about Slurm, which has to be started, has a test of its own.
pages=$(ls "$source_tree"/docs/tour.md "$source_tree"/docs/tasks/*.md | grep -v slurm)
run python3 "$source_tree/tests/run_docs.py" ${REFRAIN_UPDATE:+--update} $pages
[ "$code" -eq 0 ] || cat "$out" >&2
expect_code 0

# The pictures of the tour are what the program draws, but for the last digits of numbers.
traces="$("$refrain" kernels path vpicio) $("$refrain" kernels path ior-posix-own)"
words() { sed -n 's#.*<text[^>]*>\([^<]*\)</text>.*#\1#p' "$1" | sed 's/[0-9.]*//g'; }
# picture NAME [OPTION...]
picture() {
  run "$refrain" simulate $traces --ranks 512 --machine cluster "${@:2}" --svg "$1.svg"
  expect_code 0
  [ -z "${REFRAIN_UPDATE:-}" ] || cp "$1.svg" "$source_tree/docs/"
  words "$1.svg" >drawn
  words "$source_tree/docs/$1.svg" >shown
  [ -s drawn ] || fail "$1.svg has no words"
  expect_same shown drawn
}
picture tour-collide
picture tour-turns --policy stretch
