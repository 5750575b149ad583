# Files that ranks race for: kernels and replays don't fail because another rank was first, nor does a trace differ from
# another for it, unless that is asked for.
source "$(dirname "$0")/lib.sh"
need make cc mpirun "$programs/mpi_races"

for first in 0 2 3; do
  rm -rf ./*
  touch old
  run "$refrain" record -q -o "$base/$first.rfn" -- mpirun -n 4 "$programs/mpi_races" $first </dev/null
  expect_code 0
done
run "$refrain" dump --no-times "$base/2.rfn"
expect_matches "$out" 'remove\("old"\) -> -1 ENOENT|remove\("old"\).*ENOENT'

for other in 2 3; do
  run "$refrain" diff "$base/0.rfn" "$base/$other.rfn"
  expect_code 0
  expect_matches "$out" '^equal: 4 ranks, .*, but for who was first'
  run "$refrain" diff --races strict "$base/0.rfn" "$base/$other.rfn"
  expect_code 1
  expect_matches "$out" '^different: '
done

# What is made again ends as it did: who came too late lets the other one be first.
for first in 0 2 3; do
  rm -rf kernel
  run "$refrain" generate -q "$base/$first.rfn" -o kernel
  expect_code 0
  run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  for try in 1 2 3; do
    run "$refrain" record -q -o again.rfn -- mpirun -n 4 kernel/mpi_races --root "k$first.$try" --prepare </dev/null
    expect_code 0
    run "$refrain" diff --root "k$first.$try" "$base/$first.rfn" again.rfn
    expect_code 0
    run mpi 4 "$refrain" replay -q --root "r$first.$try" --prepare --record again.rfn "$base/$first.rfn"
    expect_code 0
    run "$refrain" diff --root "r$first.$try" "$base/$first.rfn" again.rfn
    expect_code 0
  done
done

# Where there is nothing to remove, the program would go on, too.
run mpi 4 kernel/mpi_races --root empty
expect_code 0
expect_contains "$out" 'otherwise than recorded: ranks race for their files'
run mpi 4 "$refrain" replay -q --root nothing "$base/3.rfn"
expect_code 0
expect_contains "$out" 'otherwise than recorded: ranks race for their files'
