# Parallel programs under the gate, around the launcher and inside it: MPI-IO from C and Fortran, HDF5. Two of them take
# turns, their files and output are those they have alone, and a node has one client, which another `refrain run`
# replaces when it is killed.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_gate.sh"
need mpirun "$examples/jacobi"
start_coordinator

# with_gate NAME COMMAND...
with_gate() {
  local name=$1
  shift
  "$refrain" run --insecure --coordinator "$address" --exclude '**/*.txt' -- "$@" </dev/null
}
inside_gate() { # NAME RANKS COMMAND...
  mpi "$2" "$refrain" run --insecure --coordinator "$address" --exclude '**/*.txt' -- "${@:3}"
}

# same_as_alone RANKS PROGRAM [ARGUMENT...]  Alone, around the launcher, and inside it.
same_as_alone() {
  local ranks=$1 before
  shift
  for form in alone around inside; do
    mkdir -p "$base/$form.$1"
    cd "$base/$form.$1"
    before=$(events grant)
    case $form in
      alone) run mpi "$ranks" "$examples/$@" ;;
      around) run with_gate "$1" mpirun -n "$ranks" "$examples/$@" ;;
      inside) run inside_gate "$1" "$ranks" "$examples/$@" ;;
    esac
    expect_code 0
    expect_empty "$err"
    cp "$out" output.txt
    [ "$form" = alone ] || more_events grant "$before" || fail "$form the launcher: nothing was granted"
    cd "$work"
  done
  for form in around inside; do  # files of HDF5 hold times
    diff -r -x '*.h5' "$base/alone.$1" "$base/$form.$1" >&2 || fail "$form the launcher $1 is different"
    for file in "$base/alone.$1"/*.h5; do
      [ ! -e "$file" ] || h5diff "$file" "$base/$form.$1/${file##*/}" >&2 || fail "$form the launcher $file is different"
    done
  done
}
same_as_alone 4 jacobi
[ ! -e "$examples/fortran_mpiio" ] || same_as_alone 2 fortran_mpiio
[ ! -e "$examples/vorpalio" ] || ! command -v h5diff >/dev/null || same_as_alone 2 vorpalio

# All ranks of a job have one client; when it is killed another `refrain run` goes on.
granted=$(events grant)
joined=$(events job)
mpi 3 "$refrain" run --insecure --coordinator "$address" --exclude '**/*.txt' --exclude '**/*.err' -- \
  "$examples/jacobi" --iterations 60 --think 50000 >slow.txt 2>slow.err &
job=$!
wait_until 'a rank has written' more_events grant "$granted"
expect_equal "$(events job)" $((joined + 1))
offspring() {
  local one
  for one in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
    echo "$one"
    offspring "$one"
  done
}
# Of the clients below the job, the one that has the page.
serving() {
  local one
  for one in $(offspring "$job"); do
    if [ "$(cat "/proc/$one/comm" 2>/dev/null)" = refrain-client ] && grep -qE "^[0-9]+: FLOCK .* $one " /proc/locks; then
      echo "$one"
      return 0
    fi
  done
  return 1
}
client=$(serving)
kill -9 "$client"
granted=$(events grant)
wait_until 'another client is granted something' more_events grant "$granted"
[ "$(serving)" != "$client" ] || fail "the client is not dead"
wait "$job" || fail "the job failed: $(cat slow.err)"
expect_empty slow.err

# One rank, or all of them, are killed while they hold the lease or wait for it: others go on. (Open MPI's launcher doesn't
# always end then.) REFRAIN_STORM: how often each is tried.
ranks_killed() {  # one|all holding|waiting
  local asked granted holder= job one
  if [ "$2" = waiting ]; then
    granted=$(events grant)
    gated a "$programs/turns" a 1 100000 65536 0 d &
    holder=$!
    wait_until 'a writes' more_events grant "$granted"
  fi
  granted=$(events grant) asked=$(events ask)
  timeout -s INT -k 5 60 mpirun -n 3 "$refrain" run --insecure --coordinator "$address" --idle 2000 \
    --exclude '**/*.txt' --exclude '**/*.err' -- "$examples/jacobi" --iterations 4000 --think 50000 \
    >slow.txt 2>slow.err </dev/null &
  job=$!
  if [ "$2" = waiting ]; then
    wait_until 'a rank waits' more_events ask "$asked"
  else
    wait_until 'a rank has written' more_events grant "$granted"
  fi
  gated b "$programs/turns" b 2 4 &
  other=$!
  for one in $(offspring "$job"); do
    [ "$(cat "/proc/$one/comm" 2>/dev/null)" = jacobi ] || continue
    kill -9 "$one" 2>/dev/null || true  # the launcher kills them as well
    [ "$1" = all ] || break
  done
  if [ -n "$holder" ]; then
    kill -9 "$(app_of a)"
    wait "$holder"
  fi
  wait "$other"
  expect_quiet b
  ! wait "$job" || fail "mpirun took killed ranks for success"
}
for turn in $(seq "${REFRAIN_STORM:-1}"); do
  ranks_killed one holding
  ranks_killed all holding
  ranks_killed all waiting
done
