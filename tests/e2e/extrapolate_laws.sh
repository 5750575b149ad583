# Programs recorded at a few small numbers of ranks are extrapolated to one that wasn't recorded: the result is
# what a recording of that number of ranks gives, call by call and counter by counter.
source "$(dirname "$0")/lib.sh"
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need mpirun "$examples/iosample"

# expect_layers PROGRAM TARGET  And those that they lead to.
expect_layers() {
  local program=$1 target=$2
  # HDF5 writes what it keeps of a file from whatever rank: that has no law, and is left out by name.
  run "$refrain" dump --no-times "$program.any.rfn"
  if grep -q 'left out by extrapolation: layer' "$out"; then return; fi
  run "$refrain" diff --all --ranks "$target" "$program.any.rfn" "$program.$target.rfn"
  expect_code 0
}

run "$refrain" extrapolate --advise
expect_equal "$(cat "$out")" "4, 9, 23, 36"
run "$refrain" extrapolate --advise --max 24
expect_equal "$(cat "$out")" "5, 8, 19, 24"

# These numbers tell the laws of these programs apart, too.
for program in iosample checkpoint scaling; do
  [ -x "$examples/$program" ] || [ -x "$programs/$program" ] || continue
  for ranks in 5 8 9 24 30; do record_at "$program" "$ranks"; done
  expect_law "$program" 30 5 8 9 24
  expect_layers "$program" 30
done

# Powers of two tell the grids of this program apart only together: a 2-D one is as wide as a 3-D one is long.
if [ -x "$programs/scaling" ]; then
  for ranks in 4 16 32 64; do record_at scaling "$ranks"; done
  expect_law scaling 64 4 8 16 32
  expect_layers scaling 64
fi

# A total that all runs divided is shared with a remainder where it leaves one, and that is said.
if [ -x "$examples/gcrmio" ]; then
  for cyclic in 0 1; do
    for ranks in 4 8 16 24; do record_at gcrmio "$ranks" --steps 1 --cyclic "$cyclic"; done
    expect_law gcrmio 24 4 8 16
    run "$refrain" diff --ranks 24 gcrmio.any.rfn gcrmio.24.rfn
    expect_contains "$err" "H5Sselect_hyperslab, arg5[0]: a division that had no remainder in any run has one"
  done
fi

# Below MPI-IO: three ranks write for all, in blocks of 64 KiB, which only the largest run exceeds.
romio=$(need_romio >/dev/null; echo "$romio")
if [ -n "$romio" ]; then
  mkdir ompio
  mv iosample.* ompio
  printf '%s\n' 'cb_config_list *:*' 'cb_nodes 3' 'cb_buffer_size 65536' 'romio_cb_write enable' \
    'romio_cb_read enable' >hints
  export OMPI_MCA_io=$romio ROMIO_HINTS=$work/hints
  for ranks in 5 8 9 24 30; do record_at iosample "$ranks"; done
  unset OMPI_MCA_io ROMIO_HINTS
  run "$refrain" extrapolate -q iosample.{5,8,9,24}.rfn --max-block 65536 -o blocks.rfn
  expect_code 0
  run "$refrain" diff --all --ranks 30 blocks.rfn iosample.30.rfn
  expect_code 0
  expect_empty "$err"
  run "$refrain" diff --counters --all --ranks 30 blocks.rfn iosample.30.rfn
  expect_code 0
  run "$refrain" extrapolate -q iosample.{5,8,9,24}.rfn -o blocks.rfn
  expect_code 0
  run "$refrain" diff --ranks 30 blocks.rfn iosample.30.rfn
  expect_code 0
  expect_lacks "$err" "layer posix"
  run "$refrain" diff --all --ranks 30 blocks.rfn iosample.30.rfn
  expect_code 1
  expect_contains "$err" "layer posix, pwrite, arg3: more than any run transferred at once; --max-block"
  # From runs that show the block, nothing needs to be said.
  run "$refrain" extrapolate -q iosample.{5,8,24,30}.rfn -o blocks.rfn
  expect_code 0
  run "$refrain" diff --all --ranks 9 blocks.rfn iosample.9.rfn
  expect_code 0
  rm iosample.*
  mv ompio/* .
fi

# The kernel of a scale-free trace is right at numbers of ranks that were never recorded.
run "$refrain" generate -q iosample.any.rfn -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
record_at iosample 7
run "$refrain" record -q -o kernel.7.rfn -- mpirun -n 7 kernel/iosample --root run </dev/null
expect_code 0
expect_lacks "$err" "not certain"
run "$refrain" diff --root run iosample.7.rfn kernel.7.rfn
expect_code 0

# Where its laws are in doubt, it says so.
run "$refrain" generate -q checkpoint.any.rfn -o doubtful
expect_code 0
run make -s -C doubtful CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run mpirun -n 8 doubtful/checkpoint --root doubtful.8 </dev/null
expect_code 0
expect_lacks "$err" "not certain"
run mpirun -n 11 doubtful/checkpoint --root doubtful.11 </dev/null
expect_code 0
expect_contains "$err" "checkpoint: not certain at 11 ranks: fopen, "

# Arguments that are lists with an entry per rank, or per share of a rank: numbers, requests, datatypes.
if [ -x "$programs/mpi_lists" ]; then
  for ranks in 4 6 8 9 16 27 32; do record_at mpi_lists "$ranks"; done
  expect_law mpi_lists 32 4 8 16
  expect_law mpi_lists 32 6 16 27
  expect_law mpi_lists 32 6 9 16 27
  run "$refrain" dump --no-times mpi_lists.any.rfn
  expect_contains "$out" "MPI_Type_create_indexed_block(8, [rank*8 + k*P*8 for k < P - 1], MPI_BYTE)"
  expect_contains "$out" "[ranks where rank == 0] MPI_Waitall([k for k < P])"
  expect_contains "$out" "[{P} x mpitype], [0 for k < P])"
  expect_contains "$out" "[MPI_INT, {P - 1} x MPI_DOUBLE], [])"
  expect_kernel mpi_lists 8
fi

# A scale-free trace shows its formulas; what makes calls of it wants to know the number of ranks.
run "$refrain" dump --no-times iosample.any.rfn
expect_code 0
expect_contains "$out" "ranks P, from 5, 8, 9, 24"
expect_contains "$out" "dims(P, 2)[1]"
run "$refrain" info iosample.any.rfn
expect_code 0
expect_contains "$out" "made from runs of 5, 8, 9, 24"
expect_matches "$out" "^MPI_Init +P"
run "$refrain" info --counters iosample.any.rfn
expect_refused
expect_contains "$err" "--ranks N"
run "$refrain" dump --ranks 4 --no-times iosample.any.rfn
expect_code 0
expect_contains "$out" "ranks 0..3"

# Times are estimates, and say so wherever they are printed. How good they are is reported, not asserted.
run "$refrain" dump checkpoint.any.rfn
expect_code 0
expect_contains "$out" "# about gap "
expect_contains "$out" "takes about "
run "$refrain" info --ranks 30 checkpoint.any.rfn
expect_code 0
expect_contains "$out" "times are estimates: fitted to runs of 5, 8, 9, 24 ranks"
expect_contains "$out" "time, about"
run "$refrain" dump checkpoint.plain.rfn
expect_contains "$out" "# about "
run "$refrain" jobs --ranks 30 checkpoint.any.rfn
expect_code 0
expect_contains "$err" "times are estimates"
for trace in checkpoint.plain.rfn checkpoint.30.rfn; do
  run "$refrain" info --json "$trace"
  echo "$trace: $(grep -m 2 -E '"(time_ns|elapsed_ns)"' "$out" | tr -s ' \n' ' ')"
done
expect_contains kernel/iosample.c "are estimates"
run mpirun -n 3 kernel/iosample --root thinking --think recorded </dev/null
expect_code 0
run "$refrain" extrapolate --times none iosample.any.rfn -o timeless.rfn
expect_code 0
run "$refrain" dump timeless.rfn
expect_lacks "$out" "about"
run "$refrain" generate -q timeless.rfn -o timeless
expect_code 0
run make -s -C timeless
run timeless/iosample --think recorded </dev/null
expect_code 2
expect_contains "$err" "no times are known"

# A model by hand stands before the runs or behind them; one that can't be read is refused.
run "$refrain" extrapolate -q --model 'blocks = dims(P, 2)[0]*P' iosample.5.rfn iosample.8.rfn iosample.9.rfn -o three.rfn
expect_code 0
run "$refrain" extrapolate --model 'blocks = P/3+' iosample.5.rfn iosample.8.rfn iosample.9.rfn -o none.rfn
expect_refused
expect_contains "$err" "an expression is missing"
printf '%s\n' 'blocks = dims(P, 2)[0]*P' 'rest = P%3' >models
run "$refrain" extrapolate -q --model @models iosample.5.rfn iosample.8.rfn iosample.9.rfn -o three.rfn
expect_code 0

# Which run comes next follows from what the runs leave open, and from what can be recorded.
run "$refrain" extrapolate iosample.{5,8,9}.rfn -o three.rfn
expect_code 0
expect_contains "$err" "ranks would tell more"
run "$refrain" extrapolate --advise iosample.{5,8,9}.rfn
expect_code 0
next=$(tr -d ' ' <"$out")
[ "${next%%,*}" -gt 5 ] || fail "no further run is advised: $(cat "$out")"
run "$refrain" extrapolate --advise --max 24 --only 'P%8 == 0' three.rfn
expect_code 0
[ -z "$(tr ', ' '\n\n' <"$out" | awk '$1 % 8 != 0 || $1 > 24')" ] || fail "advised: $(cat "$out")"
run "$refrain" extrapolate --advise iosample.5.rfn
expect_code 0
expect_equal "$(tr -cd , <"$out" | wc -c)" 2
run "$refrain" extrapolate --advise --only 'rank == 0'
expect_refused
expect_contains "$err" "a condition on P"
run "$refrain" extrapolate --advise --only 'P%'
expect_refused
expect_contains "$err" "an expression is missing"
run "$refrain" extrapolate --advise iosample.{5,8,9,24}.rfn
expect_code 0
expect_contains "$err" "nothing is in doubt"

# What three runs leave open is refused by --strict, and certain with a fourth. A further run must be as predicted.
run "$refrain" extrapolate -q --strict iosample.{5,8,9}.rfn -o none.rfn
expect_refused
expect_contains "$err" "another law fits all runs as well (--strict)"
expect_no_file none.rfn
run "$refrain" extrapolate -q --strict --verify iosample.30.rfn iosample.{5,8,9,24}.rfn -o strict.rfn
expect_code 0
if [ -e checkpoint.30.rfn ]; then
  run "$refrain" extrapolate -q --verify checkpoint.30.rfn iosample.{5,8,9,24}.rfn -o none.rfn
  expect_refused
  expect_contains "$err" "not what the other runs predict"
fi

# A replay on a number of ranks that was not among the runs.
run mpirun -n 7 "$refrain" replay -q --ranks 7 --root replayed --record replayed.rfn strict.rfn </dev/null
expect_code 0
run "$refrain" diff --root replayed iosample.7.rfn replayed.rfn
expect_code 0

# Names padded to a width that follows the number of ranks; 10 and 11 ranks tell what it follows. Each rank reads a
# part of a file that the kernel makes as large as its ranks need it.
for ranks in 4 10 11 24; do
  rm -rf box
  mkdir -p box/data
  head -c $((100 * ranks)) /dev/zero >box/data/input
  run env -C box "$refrain" record -q -o "$work/padded.$ranks.rfn" -- mpirun -n "$ranks" "$programs/mpi_padded"
  expect_code 0
done
run "$refrain" extrapolate -q padded.4.rfn padded.10.rfn padded.11.rfn -o padded.any.rfn
expect_code 0
run "$refrain" diff --ranks 24 padded.any.rfn padded.24.rfn
expect_code 0
run "$refrain" dump --ranks 1001 --expand --rank 7 padded.any.rfn
expect_contains "$out" '"out.0007"'
for options in "--ranks 24 padded.any.rfn" padded.24.rfn; do
  run "$refrain" dump $options
  echo "240 ms shared by 24 ranks, dump $options:$(grep -m 1 -o '#.*' <(grep 'write(' "$out"))"
done
run "$refrain" generate -q padded.any.rfn -o padded
expect_code 0
run make -s -C padded CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run "$refrain" record -q -o kernel.24.rfn -- mpirun -n 24 padded/mpi_padded --root padded.run --prepare </dev/null
expect_code 0
run "$refrain" diff --root padded.run padded.24.rfn kernel.24.rfn
expect_code 0
expect_equal "$(stat -c %s padded.run/data/input)" 2400

# Sizes without a law in the number of ranks are refused by name.
record_at checkpoint 8 --bytes 1000
run "$refrain" extrapolate checkpoint.5.rfn checkpoint.8.rfn checkpoint.9.rfn checkpoint.24.rfn -o none.rfn
expect_refused
expect_contains "$err" "no law for P=5:"
expect_no_file none.rfn
