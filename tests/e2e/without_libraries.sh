# Whatever libraries this build was made without, an ordinary program is recorded, printed, generated and replayed; what
# is missing is said in one line. REFRAIN_WITHOUT names a library that must be missing (mpi, or hdf5 and with it ZeroMQ and
# SimGrid; neither has npm).
source "$(dirname "$0")/lib.sh"
without=${REFRAIN_WITHOUT:-}
input() { head -c 300000 /dev/zero >input; }

input
run "$refrain" record -q -o dd.rfn -- dd if=input of=output bs=16384 status=none
expect_code 0
run "$refrain" dump --no-times dd.rfn
expect_code 0
expect_matches "$out" 'write\('
run "$refrain" generate dd.rfn -o kernel
expect_code 0
run make -s -C kernel
expect_code 0
run "$refrain" record -q -o kernel.rfn -- kernel/dd --root run --prepare
expect_code 0
run "$refrain" diff --root run dd.rfn kernel.rfn
expect_code 0
run "$refrain" replay --root again --prepare --record replay.rfn dd.rfn
expect_code 0
run "$refrain" diff --root again dd.rfn replay.rfn
expect_code 0

# missing LIBRARY TEXT COMMAND...  The command is refused, and says it, if the library was left out.
missing() {
  local library=$1 text=$2
  shift 2
  run "$@"
  if [ "$code" -eq 0 ]; then
    [ "$library" != "$without" ] || fail "$library is not missing"
  else
    expect_lines "$err" 1
    expect_contains "$err" "$text"
  fi
}
missing mpi "layer 'mpiio' can't be recorded" "$refrain" record -q --layers mpiio -o none.rfn -- true
missing hdf5 "layer 'hdf5' can't be recorded" "$refrain" record -q --layers hdf5 -o none.rfn -- true
missing hdf5 'built without ZeroMQ' "$refrain" coordinate keygen --keys "$base/keys"
missing hdf5 'made without SimGrid' "$refrain" simulate --machine laptop dd.rfn
missing "${without:-npm}" 'built without npm' "$refrain" report dd.rfn -o dd.html
run "$refrain" run --insecure --coordinator "ipc://$base/io" --patience 0.1 -- cp input copied
expect_code 0
expect_same input copied
[ "$without" != hdf5 ] || expect_lines "$err" 1
[ "$without" != hdf5 ] || expect_contains "$err" 'runs uncoordinated: this refrain was built without ZeroMQ'

# A replay of ranks, which meet by MPI, says so before it begins; told by the environment of a launcher.
if [ "$without" = mpi ]; then
  run env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=4 \
    "$refrain" replay --root ranks "$golden/v7.rfn"
  expect_refused
  expect_contains "$err" 'this refrain was built without MPI'
fi

# A program that was built elsewhere uses parallel HDF5: what it was given is not known, and nothing is made of it.
parallel=$source_tree/build/dev/examples/vpicio
if [ "$without" = mpi ] && [ -x "$parallel" ]; then
  run "$refrain" record -q -o vpicio.rfn -- mpirun -n 2 "$parallel"
  expect_code 0
  run "$refrain" dump --no-times vpicio.rfn
  expect_contains "$out" 'H5Pset_fapl_mpio(plist0, other, other)'
  run "$refrain" generate vpicio.rfn -o vpicio
  expect_refused
  expect_contains "$err" "H5Pset_fapl_mpio can't be generated"
fi
