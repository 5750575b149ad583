# Values of every form and mixture (tests/random_trace.cpp), as a kernel and as a replay: recorded, both make the calls
# that the interpreter of traces makes of them, on every rank.
#
# Programs that tests record don't come here: their ranks run the same code, so that one law, with numbers that depend on
# the rank, holds for all of them. Alternatives that all keep something from call to call come about only where a value
# follows one argument on some ranks and another one on others.
#
# REFRAIN_RANDOM_NESTS says how many nests of loops there are in a program, REFRAIN_RANDOM_SEEDS which programs
# ("1 2 3").
source "$(dirname "$0")/lib.sh"
need make cc mpirun

nests=${REFRAIN_RANDOM_NESTS:-120}
read -ra seeds <<<"${REFRAIN_RANDOM_SEEDS:-1}"

# calls_of TRACE FOLDER  Calls of all ranks, one by one; paths as if FOLDER were the root.
calls_of() {
  local rank
  for ((rank = 0; rank < ranks; ++rank)); do
    echo "rank $rank"
    "$refrain" dump --expand --no-times --rank "$rank" "$1" | sed -nE "s|\"$2/|\"|; s|^ +([A-Za-z_0-9]+\()|\1|p"
  done
}

for seed in "${seeds[@]}"; do
  ranks=$((3 + seed % 4 * 4))
  echo "seed $seed: $nests nests on $ranks ranks"
  run "$build/tests/random_trace" "$seed" "$nests" "$ranks" random.rfn
  expect_code 0
  calls_of random.rfn "$work" >expected
  run grep -c . expected
  run "$refrain" generate -q random.rfn -o kernel
  expect_code 0
  run make -s -C kernel CFLAGS="-O0 -w"
  expect_code 0
  run "$refrain" record -q -o kernel.rfn -- mpirun -n "$ranks" kernel/random --root "$work/as_kernel" </dev/null
  expect_code 0
  calls_of kernel.rfn "$work/as_kernel" >found
  expect_same expected found
  run mpi "$ranks" "$refrain" replay -q --root "$work/as_replay" --record replay.rfn random.rfn
  expect_code 0
  calls_of replay.rfn "$work/as_replay" >found
  expect_same expected found
  rm -rf kernel as_kernel as_replay ./*.rfn
done
