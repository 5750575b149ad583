# Values of every form and mixture (tests/random_trace.cpp), as a kernel and as a replay: recorded, both make the calls
# that the interpreter of traces makes of them, on every rank; of traces of one number of ranks, and of traces for any.
#
# Programs that tests record don't come here: their ranks run the same code, so that one law, with numbers that depend on
# the rank, holds for all of them. Alternatives that all keep something from call to call come about only where a value
# follows one argument on some ranks and another one on others.
#
# REFRAIN_RANDOM_NESTS says how many nests of loops there are in a program, REFRAIN_RANDOM_SEEDS which programs
# ("1 2 3").
source "$(dirname "$0")/lib.sh"
need make cc mpirun

nests=${REFRAIN_RANDOM_NESTS:-100}
read -ra seeds <<<"${REFRAIN_RANDOM_SEEDS:-1}"

# calls_of TRACE FOLDER RANKS [OPTION...]  Calls of all ranks, one by one; paths as if FOLDER were the root.
calls_of() {
  local rank
  for ((rank = 0; rank < $3; ++rank)); do
    echo "rank $rank"
    "$refrain" dump --expand --no-times --rank "$rank" "${@:4}" "$1" |
      sed -nE "s|\"$2/|\"|; s|^ +([A-Za-z_0-9]+\()|\1|p"
  done
}

# make_kernel SEED SIZE...  Of a random trace of so many ranks, or for any number, tried on several.
make_kernel() {
  rm -rf kernel
  echo "seed $1: $nests nests on ${*:2} ranks"
  run "$build/tests/random_trace" "$1" "$nests" "${@:2}" random.rfn
  expect_code 0
  run "$refrain" generate -q random.rfn -o kernel
  expect_code 0
  run make -s -C kernel CFLAGS="-O0 -w"
  expect_code 0
}

# expect_calls_of RANKS [OPTION...]  On so many ranks; the options tell other commands.
expect_calls_of() {
  rm -rf as_kernel as_replay kernel.rfn replay.rfn
  calls_of random.rfn "$work" "$1" "${@:2}" >expected
  run "$refrain" record -q -o kernel.rfn -- mpirun -n "$1" kernel/random --root "$work/as_kernel" </dev/null
  expect_code 0
  calls_of kernel.rfn "$work/as_kernel" "$1" >found
  expect_same expected found
  run mpi "$1" "$refrain" replay -q "${@:2}" --root "$work/as_replay" --record replay.rfn random.rfn
  expect_code 0
  calls_of replay.rfn "$work/as_replay" "$1" >found
  expect_same expected found
}

for seed in "${seeds[@]}"; do
  ranks=$((3 + seed % 4 * 4))
  make_kernel "$seed" "$ranks"
  expect_calls_of "$ranks"
  make_kernel "$seed" 2 4
  expect_calls_of 4 --ranks 4
  expect_calls_of 7 --ranks 7
done
