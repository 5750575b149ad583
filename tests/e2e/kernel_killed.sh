# Kernels of programs that were killed in the middle of a call: they make the calls that had been made, and no more. In a
# parallel job some ranks may have come out of a call that the killed one was still in. They can't again: the kernel then
# ends in words, and soon.
source "$(dirname "$0")/lib.sh"
need make cc
killer=$programs/killer.so
[ -e "$killer" ] || { echo "skipped: there is no killer.so"; exit 77; }
export REFRAIN_PATIENCE=2 KILL_PROGRAM KILL_RANK KILL_AT

# killed RANKS RANK CALL COMMAND...  Kills that rank in that call, of those that write. 0 ranks: not under MPI.
killed() {
  local launcher=()
  [ "$1" -eq 0 ] || launcher=(mpirun -n "$1")
  KILL_RANK=$2 KILL_AT=$3 KILL_PROGRAM=$(basename "$(readlink -f "$4")")
  shift 3
  rm -rf app kernel run app.rfn app.rfn.parts kernel.rfn
  mkdir app
  (cd app && LD_PRELOAD=$killer timeout -k 5 60 "$refrain" record -q -o ../app.rfn -- "${launcher[@]}" "$@") \
    >"$out" 2>"$err" </dev/null && fail "$1 was not killed"
  KILL_PROGRAM=
  "$refrain" info app.rfn >"$base/info"
  expect_contains "$base/info" 'ENDED EARLY'
  run "$refrain" generate -q app.rfn -o kernel
  expect_code 0
  run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  local kernel
  kernel=$(ls kernel/*.c)
  run_bounded -r run "$refrain" record -q -o kernel.rfn -- "${launcher[@]}" "${kernel%.c}" --root run --prepare
  if [ "$code" -eq 3 ] && [ ${#launcher[@]} -gt 0 ]; then
    expect_contains "$err" 'not all ranks had come to when the recorded job was cut off'
    return
  fi
  expect_code 0
  run "$refrain" diff --root run app.rfn kernel.rfn
  expect_code 0
}

killed 0 - 10 "$examples/timesteps"
killed 0 - 100 "$examples/amr"
killed 0 - 50 "$examples/threads"
killed 0 - 20 "$examples/logger"
if command -v mpirun >/dev/null; then
  for name in vpicio vorpalio gcrmio; do [ ! -x "$examples/$name" ] || killed 4 0 20 "$examples/$name"; done
  if [ -x "$examples/iosample" ]; then killed 4 0 5 "$examples/iosample"; fi
  if [ -x "$examples/checkpoint" ]; then killed 4 0 2 "$examples/checkpoint"; fi
  if [ -x "$examples/jacobi" ]; then killed 4 2 2 "$examples/jacobi"; fi
  if [ -x "$examples/fortran_mpiio" ]; then killed 4 0 2 "$examples/fortran_mpiio"; fi
  if /usr/bin/python3 -c 'import h5py, mpi4py, sys; sys.exit(not h5py.get_config().mpi)' 2>/dev/null; then
    killed 2 0 2 /usr/bin/python3 "$examples/h5py_write.py"
  fi
fi
