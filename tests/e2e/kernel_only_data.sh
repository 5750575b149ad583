# Kernels of the data alone: `generate --only data` leaves out files that hardly move anything and says so; what it keeps
# is complete, so that the kernel runs, and its recording is the slice of the trace.
source "$(dirname "$0")/lib.sh"
need make cc

# data_of TRACE ABOVE LAUNCHER...  The law; the kernel is in kernel/, what it wrote in run/.
data_of() {
  rm -rf kernel run part.rfn again.rfn
  run "$refrain" slice -q "$1" -o part.rfn --above "$2"
  expect_code 0
  expect_contains "$err" 'left out: '
  run "$refrain" generate -q "$1" -o kernel --only data --above "$2"
  expect_code 0
  expect_contains "$err" 'left out: '
  expect_contains kernel/README.md 'Left out are '
  run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  kernel=$(ls kernel/*.c)
  run "$refrain" record -q -o again.rfn -- "${@:3}" "${kernel%.c}" --root run --prepare </dev/null
  expect_code 0
  run "$refrain" diff --root run part.rfn again.rfn
  expect_code 0
}

if command -v mpirun >/dev/null && [ -x "$programs/mixed_files" ]; then
  mkdir app
  seq 100 >app/input
  (cd app && "$refrain" record -q -o ../mixed.rfn -- mpirun -n 3 "$programs/mixed_files" </dev/null) 2>&1 | cat
  data_of mixed.rfn 65536 mpirun -n 3
  expect_equal "$(cd run && find . -type f | sort | tr '\n' ' ')" \
    "$(cd app && find . -type f -name 'ckpt*' -o -name shared | sort | tr '\n' ' ')"
  for file in $(cd run && find . -type f); do
    expect_equal "$(stat -c %s "run/$file")" "$(stat -c %s "app/$file")"
  done
  for name in notes log. small. input empty missing.conf; do
    if grep -q "\"[^\"]*$name" kernel/mixed_files.c; then fail "$name is in the kernel"; fi
  done
  for name in log.0 notes input small.0 missing.conf; do expect_contains kernel/README.md "\`$name\`"; done
  expect_lacks kernel/README.md '`shared`'
  # Objects of MPI that the files don't need are gone, those that they need are there.
  expect_lacks kernel/mixed_files.c MPI_Comm_split
  expect_contains kernel/mixed_files.c MPI_Type_vector
  # The whole of it is what it was, with a threshold of nothing the same except what moved nothing.
  data_of mixed.rfn 0 mpirun -n 3
  expect_contains kernel/mixed_files.c 'notes'
  # Nothing is that large.
  run "$refrain" generate mixed.rfn -o none --only data --above 1000000000
  expect_code 2
  expect_contains "$err" 'no file moves more than 1000000000 bytes; the largest is '
  # Names stay secret.
  "$refrain" generate -q mixed.rfn -o secret --only data --anonymize 2>/dev/null
  expect_lacks secret/README.md 'notes'
fi
if command -v mpirun >/dev/null; then
  for name in vpicio iosample checkpoint jacobi fortran_mpiio; do
    [ -x "$examples/$name" ] || continue
    rm -rf app
    mkdir app
    (cd app && "$refrain" record -q -o "../$name.rfn" -- mpirun -n 4 "$examples/$name" </dev/null) 2>&1 | cat >/dev/null
    data_of "$name.rfn" 1000 mpirun -n 4
  done
fi

# Serial programs with descriptors of streams and folders.
for program in descriptors every_posix; do
  rm -rf app
  mkdir app
  (cd app && "$refrain" record -q -o "../$program.rfn" -- "$programs/$program" </dev/null) 2>&1 | cat >/dev/null
  data_of "$program.rfn" 10
done
"$refrain" record -q -o timesteps.rfn -- "$examples/timesteps" >/dev/null
data_of timesteps.rfn 0
run "$refrain" diff --root run timesteps.rfn again.rfn
expect_code 0

# Threads that share handles can't be told apart by file: that is said.
run "$refrain" record -q -o threads.rfn -- "$examples/threads"
run "$refrain" generate threads.rfn -o shared --only data --above 1
[ "$code" -eq 0 ] || expect_contains "$err" 'threads share handles'
