# The tests' own way with Open MPI's lost farewells, tried on a launcher that loses them: the job runs again in the folder
# as it was, and whatever else goes wrong is not run again.
source "$(dirname "$0")/lib.sh"
mkdir "$base/bin"
cat >"$base/bin/mpirun" <<'SCRIPT'
#!/bin/sh
echo run >>"$RUNS"
if [ "$(wc -l <"$RUNS")" -le "$LOST" ]; then
  echo made >made
  rule=--------------------------------------------------------------------------
  { echo $rule; echo "mpirun has exited due to process rank 3 with PID $NUMBER on"
    echo "node here exiting improperly. There are three reasons this could occur:"; echo; echo $rule; echo "$MORE"; } >&2
  exit 1
fi
[ ! -e made ]
SCRIPT
chmod +x "$base/bin/mpirun"
PATH=$base/bin:$PATH
export LOST NUMBER=0 MORE="" RUNS

# tries COUNT CODE  After so many runs, the launcher's code is that.
tries() {
  rm -f made
  RUNS=$(mktemp -u)
  run mpirun
  expect_code "$2"
  expect_equal "$(wc -l <"$RUNS")" "$1"
  rm "$RUNS"
}
LOST=0 && tries 1 0
LOST=2 && tries 3 0
LOST=9 && tries 3 1
LOST=1 && NUMBER=77 tries 1 1
LOST=1 && MORE="rank 1: write failed" tries 1 1
LOST=1 && MORE="refrain: wrote app.rfn: 1 process" tries 2 0
