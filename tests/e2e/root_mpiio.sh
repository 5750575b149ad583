# MPI lets a name begin with the kind of its file system; what follows stays below the root, in replays and kernels.
source "$(dirname "$0")/lib.sh"
need make mpicc mpirun "$programs/mpi_prefix"
need_romio
export OMPI_MCA_io=$romio
outside=$base/outside

mkdir "$outside"
touch "$outside/deleted"
"$refrain" record -q -o trace.rfn -- mpirun -n 2 "$programs/mpi_prefix" "$outside" </dev/null
expect_file "$outside/made"
expect_no_file "$outside/deleted"
"$refrain" generate -q trace.rfn -o kernel
make -s -C kernel CFLAGS=-O0
for sandbox in "" --no-sandbox; do
  rm -rf "$outside" replay run
  mkdir -p "$outside" "replay$outside" "run$outside"
  touch {,replay,run}"$outside/deleted"
  run mpi 2 "$refrain" replay -q $sandbox --root replay --record again.rfn trace.rfn
  expect_code 0
  expect_file "replay$outside/made"
  expect_no_file "replay$outside/deleted"
  run "$refrain" diff --root "$work/replay" trace.rfn again.rfn
  expect_code 0
  run "$refrain" record -q -o again.rfn -- mpirun -n 2 kernel/mpi_prefix $sandbox --root run </dev/null
  expect_code 0
  expect_file "run$outside/made"
  run "$refrain" diff --root "$work/run" trace.rfn again.rfn
  expect_code 0
  expect_equal "$(ls "$outside")" deleted
done

# Another library of MPI works in the sandbox as well.
if command -v mpicc.mpich mpirun.mpich >/dev/null; then
  make -s -C kernel clean
  make -s -C kernel CFLAGS=-O0 CC=mpicc.mpich
  rm -rf run
  mkdir -p "run$outside"
  touch "run$outside/deleted"
  run mpirun.mpich -n 2 kernel/mpi_prefix --root run </dev/null
  expect_code 0
  expect_file "run$outside/made"
  expect_equal "$(ls "$outside")" deleted
fi
