# A program with an MPI library that Refrain has no table of: it runs as ever, what its MPI calls lead to is recorded, and
# the trace says what is missing.
source "$(dirname "$0")/lib.sh"
program=$source_tree/tests/programs/own_mpi/unknown_mpi.c
cc -shared -fPIC -DLIBRARY -o "$base/libunknown_mpi.so" "$program"
cc -o "$base/program" "$program" -L"$base" -lunknown_mpi -Wl,-rpath,"$base"
expect_transparent "$base/program"
expect_calls 0 '^ +MPI_File'
expect_calls 1 '^ +MPI_Init\('
expect_calls 4 '^ +pwrite\('
run "$refrain" dump --no-times "$base/traced.rfn"
expect_matches "$out" '^note "MPI calls are not recorded.*not one that Refrain knows'
run "$refrain" record -o again.rfn -- "$base/program"
expect_code 0
expect_matches "$err" 'MPI calls are not recorded'
