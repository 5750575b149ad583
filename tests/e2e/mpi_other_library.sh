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
