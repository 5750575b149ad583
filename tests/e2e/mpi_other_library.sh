# A program with an MPI library that the recorder wasn't built for, whose handles are of another kind: it runs as ever,
# what its MPI calls lead to is recorded, and the trace says what is missing.
source "$(dirname "$0")/lib.sh"
need mpicc.mpich mpiexec.mpich mpirun

mpicc.mpich -O1 -o "$base/iosample" "$source_tree/examples/iosample.c" -lm
expect_transparent mpiexec.mpich -n 4 "$base/iosample"
expect_calls 0 '^ +MPI_File'
expect_calls 4 '^ +MPI_Init\('
run "$refrain" dump --no-times "$base/traced.rfn"
expect_matches "$out" '^note "MPI calls are not recorded.*not Open MPI'
expect_matches "$out" '^process 0 ranks 0\.\.3 '
expect_matches "$out" '^ +pwritev?\('

# Linked in as well.
mpicc.mpich -O1 -o "$base/linked" "$source_tree/examples/iosample.c" -lm $("$refrain" link-flags)
run "$refrain" record -o linked.rfn -- env -u LD_PRELOAD mpiexec.mpich -n 2 "$base/linked"
expect_code 0
expect_matches "$err" 'MPI calls are not recorded'

# HDF5 over it is recorded whole, and becomes a kernel for whatever MPI library there is.
pkg-config --exists hdf5-mpich || { echo "skipped: there is no HDF5 for it"; exit 77; }
need_layer hdf5
read -ra hdf5 < <(pkg-config --cflags --libs hdf5-mpich)
mpicc.mpich -O1 -o "$base/vpicio" "$source_tree/examples/vpicio.c" "${hdf5[@]}" -lm
run "$refrain" record -q -o "$base/traced.rfn" -- mpiexec.mpich -n 4 "$base/vpicio"
expect_code 0
expect_sound "$base/traced.rfn"
expect_calls 4 'H5Pset_fapl_mpio\(plist0, MPI_COMM_WORLD, MPI_INFO_NULL\)'
run "$refrain" generate "$base/traced.rfn" -o kernel
expect_code 0
make -s -C kernel >"$out" 2>&1 || fail "the kernel can't be built"
run mpi 4 kernel/vpicio --root again --prepare
expect_code 0
run "$refrain" record -q -o original.rfn -- mpirun -n 4 "$examples/vpicio"
run "$refrain" record -q -o kernel.rfn -- mpirun -n 4 kernel/vpicio --root recorded --prepare
expect_code 0
for name in original kernel; do
  run "$refrain" dump --expand --no-times "$name.rfn"
  grep -E '^ +H5' "$out" >"$name.text"
done
expect_same original.text kernel.text

# The launcher of one library doesn't make ranks of another's processes: a replay says so instead of running alone.
run mpiexec.mpich -n 4 "$refrain" replay --root alone original.rfn
expect_code 1
expect_matches "$err" 'the launcher started 4 processes, but MPI sees 1'
