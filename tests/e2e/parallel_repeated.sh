# What must hold for kernels and replays of the parallel examples holds on more ranks, too: recorded, they give the trace
# that they were made of, on all layers. One recording of the example serves both.
source "$(dirname "$0")/lib.sh"
need mpirun make cc

# laws RANKS COMMAND...
laws() {
  local ranks=$1 program
  shift
  rm -rf "$base"/{app,kernel,app.rfn}
  mkdir "$base/app"
  cd "$base/app"
  # Neither output is a file for the program.
  piped() { { "$@" </dev/null 2>&1 >&3 | cat >&2; } 3>&1 | cat; }
  run piped "$refrain" record -q -o "$base/app.rfn" -- mpirun -n "$ranks" "$@"
  expect_code 0
  cd "$work"
  "$refrain" generate -q "$base/app.rfn" -o "$base/kernel"
  make -s -C "$base/kernel" CFLAGS=-O0
  program=$(ls "$base"/kernel/*.c)
  recorded() {
    run "$refrain" record -q -o "$base/again.rfn" -- mpirun -n "$ranks" "$@" --root "$base/again" --prepare </dev/null
    expect_code 0
  }
  expect_all_equal "$base/app.rfn" "$base/again.rfn" "$base/again" recorded "${program%.c}"
  expect_all_equal "$base/app.rfn" "$base/again.rfn" "$base/again" recorded "$refrain" replay "$base/app.rfn"
}

# example RANKS NAME OPTION...
example() { [ ! -x "$examples/$2" ] || laws "$1" "$examples/$2" "${@:3}"; }

many=8
[ -z "${REFRAIN_LONG:-}" ] || many=16
example $many vpicio --steps 2
example 16 vorpalio --steps 1 --edge 4
example $many gcrmio --steps 1
example 16 iosample --iterations 3
example $many checkpoint --steps 2
example $many jacobi
example $many fortran_mpiio
example 64 iosample --iterations 3
[ -z "${REFRAIN_LONG:-}" ] || example 64 checkpoint --steps 2
