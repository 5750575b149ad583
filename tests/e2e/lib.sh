# Sourced by every end-to-end test. Each runs in a folder of its own that is removed afterwards; the first
# failed expectation ends the test and shows the command, its exit code and what it printed.
set -Eeuo pipefail
export LC_ALL=C
# What the system has goes before what a user has of his own: a python3 of pyenv is a shell script of 80 processes.
export PATH=/usr/bin:/bin:$PATH
# By hand as under ctest a program's output is a pipe: a file would be recorded as one that it inherited.
if [ -f /dev/stdout ] || [ -f /dev/stderr ]; then
  code=0
  "$BASH" "$0" "$@" 2>&1 | cat || code=$?
  exit "$code"
fi
build=${REFRAIN_BUILD:?"run by ctest, or set REFRAIN_BUILD to a build folder"}
source_tree=${REFRAIN_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
refrain=$build/bin/refrain
examples=$build/examples
programs=$build/tests/programs
golden=$source_tree/tests/golden

base=$(mktemp -d)
trap 'rm -rf "$base"' EXIT
trap 'echo "FAILED: $0:$LINENO: command gave $?" >&2' ERR
work=$base/work   # where the test runs
out=$base/stdout  # what the last `run` printed
err=$base/stderr
mkdir "$work"
cd "$work"
code=0
command_line=

# Whatever starts MPI below a test, `mpi` or a recorded mpirun, finds its settings here: as root if need be, more
# ranks than cores, which yield to each other, on no core in particular (tests run side by side), without warnings.
# Looking for fast networks takes a third of the time that short programs run.
export OMPI_MCA_pml=ob1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl_base_warn_component_unused=0
# The same for Open MPI 5, which moreover looks for other networks than that of this machine alone.
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
export OMPI_MCA_btl_tcp_if_include=lo

# mpi RANKS COMMAND...  Runs it on that many ranks; nothing waits for standard input. Tests of another MPI library than
# the usual one say so in `mpirun`.
mpirun=mpirun
mpi() { "$mpirun" -n "$1" "${@:2}" </dev/null; }

# share_cores  From here on, ranks of MPICH that wait let others run.
share_cores() { [ ! -e "$programs/patient_ucx.so" ] || export LD_PRELOAD=$programs/patient_ucx.so; }

# need_romio  Sets `romio` to the name of Open MPI's other implementation of MPI-IO; skips the test without.
need_romio() {
  need ompi_info
  romio=$(ompi_info 2>/dev/null | sed -nE 's/.*MCA io: (romio[0-9]+) .*/\1/p' | head -n 1)
  [ -n "$romio" ] || { echo "skipped: there is no ROMIO"; exit 77; }
}

# need PROGRAM...  Skips the test where one of them was not built or is not installed.
need() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || { echo "skipped: there is no $program"; exit 77; }
  done
}

# need_layer LAYER...  Skips the test where the recorder was built without one of them.
need_layer() {
  local layer
  for layer in "$@"; do
    "$refrain" record -q --layers "$layer" -o "$base/layer.rfn" -- true 2>/dev/null ||
      { echo "skipped: layer $layer can't be recorded"; exit 77; }
  done
}

# works COMMAND...  Whether something of the system does what a test needs, in a folder of its own.
works() { (mkdir -p "$base/works" && cd "$base/works" && "$@" </dev/null >/dev/null 2>&1); }

# run COMMAND...  Sets $code; standard output and error are in $out and $err. Takes its standard input along. A job
# whose launcher lost a farewell is run again, after removing what it has made: three tries.
run() {
  local try
  command_line=$*
  case $command_line in *mpi*) list_files >"$base/files" ;; esac
  for try in 1 2 3; do
    code=0
    "$@" >"$out" 2>"$err" || code=$?
    farewell_lost || return 0
    list_files | comm -13 "$base/files" - | tac | while IFS= read -r file; do rm -rf "$file"; done
  done
}
list_files() { find "$base" -mindepth 1 | sort; }

# On a busy machine Open MPI 4's launcher sometimes misses that a rank has finalized, whatever is traced, and then takes
# its end for a crash. It says so of a process without a number, and nothing else went wrong.
farewell_lost() {
  [ "$code" -eq 1 ] && grep -q '^mpirun has exited due to process rank [0-9]* with PID 0 on' "$err" &&
    grep -q 'exiting improperly' "$err" && [ -z "$(sed '/^---*$/,/^---*$/d; /^refrain: wrote /d' "$err")" ]
}

# run_bounded [-r PATH]... COMMAND...  The same for jobs in which a rank may be killed or call MPI_Abort: about once in
# forty times on a busy machine Open MPI's launcher then crashes, or neither ends nor listens to SIGINT, whatever is
# traced. And for jobs of MPICH behind a sandbox, which may hang in MPI_Finalize (decision 19). There are three tries of
# $bound seconds, each after removing the PATHs.
bound=40
run_bounded() {
  local try leftovers=()
  while [ "$1" = -r ]; do leftovers+=("$2"); shift 2; done
  for try in 1 2 3; do
    rm -rf "${leftovers[@]}"
    run timeout -s INT -k 5 "$bound" "$@" </dev/null
    case $code in
      124 | 137) ;;
      139) ! grep -q 'exited on signal' "$err" || return 0 ;;  # a rank did, not the launcher
      *) return 0 ;;
    esac
  done
}

fail() {
  trap - ERR
  {
    echo "FAILED: $0:${BASH_LINENO[${#BASH_LINENO[@]} - 2]}: $*"
    echo "  command: $command_line"
    echo "  exit code: $code"
    sed 's/^/  stdout: /' "$out" | head -n 30
    sed 's/^/  stderr: /' "$err" | head -n 30
  } >&2
  exit 1
}

expect_code() { [ "$code" -eq "$1" ] || fail "expected exit code $1, got $code"; }
expect_contains() { grep -qF -- "$2" "$1" || fail "expected '$2' in $(basename "$1")"; }
expect_lacks() { ! grep -qF -- "$2" "$1" || fail "did not expect '$2' in $(basename "$1")"; }
expect_matches() { grep -qE -- "$2" "$1" || fail "expected a match of '$2' in $(basename "$1")"; }
expect_lines() { [ "$(wc -l <"$1")" -eq "$2" ] || fail "expected $2 lines in $(basename "$1"), got $(wc -l <"$1")"; }
expect_empty() { [ ! -s "$1" ] || fail "expected nothing in $(basename "$1"): $(head -n 5 "$1")"; }
expect_file() { [ -e "$1" ] || fail "expected a file $1"; }
expect_no_file() { [ ! -e "$1" ] || fail "did not expect a file $1"; }
expect_same() { diff -u "$1" "$2" >"$base/diff" || { head -n 40 "$base/diff" >&2; fail "$1 and $2 differ"; }; }
expect_equal() { [ "$1" = "$2" ] || fail "expected '$2', got '$1'"; }

# The error contract of every command: exit code 2, one line of explanation, no result.
expect_refused() {
  expect_code 2
  expect_lines "$err" 1
  expect_empty "$out"
  expect_matches "$err" '^refrain: .'
}

# json FILE EXPRESSION  Prints a Python expression over `data`.
json() { python3 -c 'import json, sys
data = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$1" "$2"; }

# run_both [-x PATTERN]... COMMAND...  Runs the command untraced and traced, each time in a fresh folder prepared by
# the function `prepare`, and compares all that can be seen of it: output, exit code, files (but those matching
# PATTERN). The trace is left in $base/traced.rfn.
run_both() {
  local ignored=()
  while [ "$1" = -x ]; do ignored+=(-x "$2"); shift 2; done
  prepare_box
  run "$@"
  keep_box plain
  prepare_box
  rm -f "$base/traced.rfn"
  run "$refrain" record -q -o "$base/traced.rfn" -- "$@"
  keep_box traced
  expect_equal "$code" "$(cat "$base/plain.code")"
  expect_same "$base/plain.stdout" "$base/traced.stdout"
  expect_same "$base/plain.stderr" "$base/traced.stderr"
  diff -r --no-dereference "${ignored[@]}" "$base/plain" "$base/traced" >&2 || fail "files differ"
}

# The same, and the trace must be sound.
expect_transparent() {
  run_both "$@"
  expect_sound "$base/traced.rfn"
}

# A trace is sound if it prints, nothing was lost, and expanding it gives as many calls as its totals say.
expect_sound() {
  run "$refrain" info --json "$1"
  expect_code 0
  expect_matches "$out" '"complete": true'
  local calls
  calls=$(python3 -c 'import json, sys
info = json.load(open(sys.argv[1], errors="replace"))
assert all(n == 0 for p in info["processes"] for n in p["lost"].values()), "calls were lost"
print(info["outer"]["calls"])' "$out")
  run "$refrain" dump --expand --no-times "$1"
  expect_code 0
  expect_lacks "$out" 'DAMAGED'
  expect_equal "$(grep -cE '^ +[A-Za-z_0-9]+\(' "$out" || true)" "$calls"
}

# expect_calls COUNT PATTERN  That many events of the trace, written out one by one, match.
expect_calls() {
  run "$refrain" dump --expand --no-times "$base/traced.rfn"
  expect_code 0
  local found
  found=$(grep -cE -- "$2" "$out" || true)
  [ "$found" -eq "$1" ] || fail "expected $1 events like '$2', found $found"
}

# expect_all_equal HERE THERE ROOT COMMAND...  The command, a function, records THERE below a new folder ROOT: the calls
# and counters of HERE, in the program's own calls and on every layer below them. What happens below MPI-IO may depend on
# the moment, so for the layers below there are three tries.
expect_all_equal() {
  local here=$1 there=$2 root=$3 try
  shift 3
  for try in 1 2 3; do
    rm -rf "$root" "$there"
    "$@"
    run "$refrain" diff --root "$root" "$here" "$there"
    expect_code 0
    run "$refrain" diff --counters --root "$root" "$here" "$there"
    expect_code 0
    run "$refrain" diff --counters --all --root "$root" "$here" "$there"
    [ "$code" -eq 0 ] || continue
    run "$refrain" diff --all --root "$root" "$here" "$there"
    [ "$code" -ne 0 ] || return 0
  done
  fail "calls below those of the program differ each time"
}

# info EXPRESSION  Prints a Python expression over `trace`, what `refrain info --json` says of the trace.
info() {
  "$refrain" info --json "$base/traced.rfn" >"$base/info.json"
  python3 -c 'import json, sys
trace = json.load(open(sys.argv[1], errors="replace"))
print(eval(sys.argv[2]))' "$base/info.json" "$1"
}
calls_lost='sum(n for p in trace["processes"] for n in p["lost"].values())'

prepare_box() {
  cd "$base"
  rm -rf box
  mkdir box
  cd box
  if declare -F prepare >/dev/null; then prepare; fi
}

keep_box() {
  cd "$base"
  rm -rf "$1"
  mv box "$1"
  echo "$code" >"$1.code"
  cp "$out" "$1.stdout"
  cp "$err" "$1.stderr"
  cd "$work"
}

# expect_repeated RANKS PROGRAM TURN  The kernel in kernel/ and a replay of trace.rfn, in folders kernel_TURN and
# replay_TURN, make the calls of trace.rfn.
expect_repeated() {
  run "$refrain" record -q -o kernel.rfn -- "$mpirun" -n "$1" "kernel/$2" --root "kernel_$3" </dev/null
  expect_code 0
  run "$refrain" diff trace.rfn kernel.rfn
  expect_code 0
  run mpi "$1" "$refrain" replay -q --root "replay_$3" --record replay.rfn trace.rfn
  expect_code 0
  run "$refrain" diff trace.rfn replay.rfn
  expect_code 0
}
