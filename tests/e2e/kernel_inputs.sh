# Kernels on an empty machine: what the recorded program found is made first (--prepare), HDF5 files included; kernels of
# programs that were killed; kernels under neutral names; whatever decodes gives a program that compiles, or one reason.
source "$(dirname "$0")/lib.sh"
need make cc

# kernel_of TRACE FOLDER [OPTION...]  Builds it; $kernel is the program.
kernel_of() {
  run "$refrain" generate -q "$1" -o "$2" "${@:3}"
  expect_code 0
  run make -s -C "$2" CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  kernel=$(ls "$2"/*.c)
  kernel=${kernel%.c}
}

# expect_again TRACE [LAUNCHER...]  The kernel, recorded with --prepare in an empty folder, gives the trace.
expect_again() {
  run "$refrain" record -q -o again.rfn -- "${@:2}" "$kernel" --root again --prepare </dev/null
  expect_code 0
  run "$refrain" diff --root again "$1" again.rfn
  expect_code 0
  rm -rf again again.rfn
}

# Ordinary files, one read line by line, and a folder that is listed.
mkdir in
seq 1000 >in/numbers
"$refrain" record -q -o sort.rfn -- sort -r in/numbers -o sorted
kernel_of sort.rfn sort
run "$kernel" --root nothing
expect_code 1
expect_matches "$err" '^sort: rank 0: .*No such file or directory$'
expect_again sort.rfn

if [ -x "$programs/h5_reader" ]; then
  "$programs/h5_reader" make
  "$refrain" record -q -o reader.rfn -- "$programs/h5_reader"
  kernel_of reader.rfn reader
  expect_again reader.rfn
fi

# Thousands of calls of an interpreter, then parallel HDF5 by way of Python.
if /usr/bin/python3 -c 'import h5py, mpi4py, sys; sys.exit(not h5py.get_config().mpi)' 2>/dev/null; then
  "$refrain" record -q -o h5py.rfn -- mpirun -n 2 /usr/bin/python3 "$examples/h5py_write.py" >/dev/null
  kernel_of h5py.rfn h5py
  expect_again h5py.rfn mpirun -n 2
fi

# Killed in the middle: the kernel makes the calls that were made.
code=0
"$refrain" record -q -o killed.rfn -- "$programs/sudden_end" kill 3000 >/dev/null || code=$?
expect_equal $code 137
kernel_of killed.rfn killed
expect_again killed.rfn
if command -v mpirun >/dev/null && [ -x "$programs/mpi_endings" ]; then
  timeout -k 2 60 "$refrain" record -q -o ended.rfn -- mpirun -n 4 "$programs/mpi_endings" --kill 2 >/dev/null 2>&1 || true
  kernel_of ended.rfn ended
  expect_again ended.rfn mpirun -n 4
  # Another number of ranks is refused in words.
  run mpirun -n 3 "$kernel" --root again
  expect_contains "$err" 'made for 4 ranks and can'"'"'t run on 3'
fi

# Neutral names: none of the program's is left, and the calls are the same.
"$refrain" record -q -o app.rfn -- "$examples/timesteps" >/dev/null
kernel_of app.rfn secret --anonymize
expect_lacks secret/kernel.c ckpt
expect_lacks secret/kernel.c timesteps
run "$kernel" --root neutral
expect_code 0
expect_equal "$(ls neutral | wc -l)" 10
expect_equal "$(ls neutral | head -n 1 | wc -c)" "$(echo ckpt_0000.dat | wc -c)"

# Traces from anywhere.
for file in "$golden"/*.rfn "$source_tree"/fuzz/corpus/{trace,merge}/*.rfn; do
  rm -rf any
  run "$refrain" generate -q "$file" -o any
  if [ "$code" -ne 0 ]; then
    expect_refused
  else
    run make -s -C any CFLAGS="-O0 -w"
    expect_code 0
  fi
done
