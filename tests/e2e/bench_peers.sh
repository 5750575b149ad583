# The comparison with other tools runs where none of them is installed, says so, and knows everything that programs wrote,
# however they ended.
source "$(dirname "$0")/lib.sh"
need python3 mpirun "$build/bin/peer_endings"
mpi 1 /usr/bin/python3 -c 'import h5py, mpi4py; assert h5py.get_config().mpi' 2>/dev/null ||
  { echo "skipped: there is no parallel h5py"; exit 77; }

run env TMPDIR="$PWD" "$source_tree/bench/peers/compare" "$build" survive
expect_code 0
for peer in Darshan:darshan-parser Recorder:recorder2text DFTracer:dftracer_event_count; do
  command -v "${peer#*:}" >/dev/null || expect_contains "$err" "${peer%:*}: left out"
done
for row in '`return`' '`kill`' '`abort`' '`_exit`' '`fork`' '`threads`' 'h5py, 4 ranks' 'Fortran, 4 ranks'; do
  expect_contains "$out" "| $row | all |"
done
