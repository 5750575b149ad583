# The kernels of all examples compile without a warning, some of them at other levels of optimization (at every one with
# REFRAIN_LONG=1) and by clang, too; and the README names the command that runs them.
source "$(dirname "$0")/lib.sh"
need make cc

# kernel TRACE COMMAND  The README names the command; no warnings at -O2, where gcc has most of them.
kernel() {
  run "$refrain" generate -q "$1" -o "${1%.rfn}"
  expect_code 0
  expect_contains "${1%.rfn}/README.md" "    $2 --root run"
  compiles "${1%.rfn}" 2
}

# compiles FOLDER LEVEL [COMPILER]  For kernels of MPI the compiler stands behind Open MPI's.
compiles() {
  local own=${3:+CC=$3}
  ! grep -q '^CC = mpicc' "$1/Makefile" || own=
  run env ${3:+OMPI_CC=$3} make -s -B -C "$1" CFLAGS="-O$2 -Wall -Wextra -Wpedantic -Werror" $own
  expect_code 0
}

for name in amr logger threads timesteps; do
  "$refrain" record -q -o $name.rfn -- "$examples/$name" >/dev/null
  kernel $name.rfn ./$name
done
for name in checkpoint iosample jacobi gcrmio vorpalio vpicio; do
  [ -x "$examples/$name" ] || continue
  "$refrain" record -q -o $name.rfn -- mpirun -n 2 "$examples/$name" >/dev/null
  kernel $name.rfn "mpirun -n 2 ./$name"
done

# Programs of one process whose files are called like something of MPI are no programs of MPI; folders are made first.
mkdir -p MPI_in/a
seq 100 >MPI_in/a/MPI_data
"$refrain" record -q -o sort.rfn -- sort MPI_in/a/MPI_data -o MPI_in/a/sorted
kernel sort.rfn ./sort
expect_lacks sort/Makefile mpicc

for name in timesteps vpicio sort; do
  [ -d $name ] || continue
  for level in 0 ${REFRAIN_LONG:+1} 3; do compiles $name $level; done
  if command -v clang >/dev/null; then
    for level in ${REFRAIN_LONG:+0 1} 2 ${REFRAIN_LONG:+3}; do compiles $name $level clang; done
  fi
done
