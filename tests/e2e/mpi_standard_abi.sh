# A program with the MPI standard's own binary interface, over a library of ours: recorded with names and slots as under
# any other library, and replayed with it. What was moved is asked for: only the library knows where a status has it.
source "$(dirname "$0")/lib.sh"
need_layer mpiio
program=$source_tree/tests/programs/own_mpi/standard_mpi.c
cc -shared -fPIC -DLIBRARY -Wl,-soname,libmpi_abi.so.1 -o "$base/libmpi_abi.so.1" "$program"
cc -o "$base/program" "$program" "$base/libmpi_abi.so.1" -Wl,-rpath,"$base"
expect_transparent "$base/program"
run "$refrain" dump --no-times "$base/traced.rfn"
expect_contains "$out" 'MPI_File_open(MPI_COMM_WORLD, "absent", MPI_MODE_RDONLY, MPI_INFO_NULL) -> MPI_ERR_NO_SUCH_FILE'
expect_contains "$out" 'MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE|MPI_MODE_RDWR, MPI_INFO_NULL) -> fh0'
expect_contains "$out" 'MPI_Type_contiguous(2, MPI_DOUBLE) -> mpitype0'
expect_contains "$out" 'MPI_File_write_at(fh0, 32*i, data 32, 2, mpitype0)'
expect_contains "$out" 'MPI_File_read_at(fh0, 96, data 32, 4, mpitype0)'
expect_contains "$out" 'MPI_File_write_at(fh0, 128, data 8, 8, MPI_BYTE)'
expect_contains "$out" 'MPI_File_set_view(fh0, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_BYTE, native, MPI_INFO_NULL)'
expect_lacks "$out" 'note'
cp "$base/traced.rfn" trace.rfn
REFRAIN_MPI_LIBRARY=$base/libmpi_abi.so.1 run "$refrain" replay -q --root again --record replay.rfn trace.rfn
expect_code 0
run "$refrain" diff --root again trace.rfn replay.rfn
expect_code 0
# What it prints as C is for whatever mpi.h there is.
run "$refrain" generate -o kernel trace.rfn
expect_code 0
expect_contains kernel/program.c 'MPI_MODE_CREATE|MPI_MODE_RDWR'
expect_contains kernel/program.c 'MPI_DISPLACEMENT_CURRENT'
