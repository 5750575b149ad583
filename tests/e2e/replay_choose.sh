# MPI may start and end within loops: a replay or a kernel still meets no rank that is elsewhere.
source "$(dirname "$0")/lib.sh"
need make cc mpirun "$programs/mpi_choose"

run "$refrain" record -q -o "$base/some.rfn" -- mpirun -n 3 "$programs/mpi_choose" </dev/null
expect_code 0
run "$refrain" dump --no-times --rank 0 "$base/some.rfn"
expect_matches "$out" '^    +MPI_Init'
expect_matches "$out" '^    +MPI_File_open'
run "$refrain" dump --no-times --rank 1 "$base/some.rfn"
expect_matches "$out" '^  MPI_File_open'

REFRAIN_IN_PLACE=never run "$refrain" record -q -o "$base/all.rfn" -- mpirun -n 3 "$programs/mpi_choose" all </dev/null
expect_code 0
run "$refrain" dump --no-times "$base/all.rfn"
expect_matches "$out" '^    +MPI_Init'
expect_matches "$out" '^    +MPI_Finalize'

for who in some all; do
  run timeout 60 "$refrain" record -q -o again.rfn -- mpirun -n 3 "$refrain" replay --root "r$who" "$base/$who.rfn" </dev/null
  expect_code 0
  expect_matches "$out" 'mpiio +9 '
  run "$refrain" diff --root "r$who" "$base/$who.rfn" again.rfn
  expect_code 0

  run "$refrain" generate -q "$base/$who.rfn" -o "$who"
  expect_code 0
  run make -s -C "$who"
  expect_code 0
  run timeout 60 "$refrain" record -q -o kernel.rfn -- mpirun -n 3 "$who/mpi_choose" --root "k$who" </dev/null
  expect_code 0
  expect_matches "$out" 'mpiio +9 '
  run "$refrain" diff --root "k$who" "$base/$who.rfn" kernel.rfn
  expect_code 0
done
