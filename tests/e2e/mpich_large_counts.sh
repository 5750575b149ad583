# Functions of MPI 4, which MPICH has: those that count in MPI_Count, and MPI_Comm_idup_with_info. They are recorded with
# their own names, repeated, and named where a library has none of them.
source "$(dirname "$0")/lib.sh"
need mpicc.mpich mpirun.mpich mpicc.openmpi mpirun.openmpi "$programs/mpi_endings"
need_layer mpiio
share_cores
mpicc.mpich -O1 -o "$base/large_counts" "$source_tree/tests/programs/own_mpi/large_counts.c" 2>/dev/null ||
  { echo "skipped: this MPICH has no MPI 4"; exit 77; }
expect_transparent mpirun.mpich -n 3 "$base/large_counts"
expect_calls 9 '^ +MPI_File_write_at_c\(fh0, [0-9]+, data 512, 64, MPI_DOUBLE\)$'
expect_calls 3 '^ +MPI_File_iwrite_at_c\(fh0, [0-9]+, data 512, 64, MPI_DOUBLE\) -> request0$'
expect_calls 3 '^ +MPI_Type_create_subarray_c\(\[8, 24\], \[8, 8\], \[0, [0-9]+\], MPI_ORDER_C, MPI_DOUBLE\) -> mpitype0$'
expect_calls 3 '^ +MPI_Type_create_darray_c\(3, [0-2], \[24, 4\], \[MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE\], \[-1, -1\], \[3, 1\], '
expect_calls 3 '^ +MPI_Comm_idup_with_info\(MPI_COMM_WORLD, info0\) -> comm0$'
expect_calls 3 '^ +MPI_File_open\(comm0, "copy", '
expect_calls 0 'inherited_object'
cp "$base/traced.rfn" trace.rfn
run "$refrain" generate -o kernel trace.rfn
expect_code 0
expect_matches kernel/README.md '^It needs MPI 4\.0 or later \(MPI_'
if ! nm -D "$(ldd "$programs/mpi_endings" | sed -nE 's/.*libmpi\.so[^ ]* => ([^ ]*) .*/\1/p')" | grep -q MPI_File_write_at_c; then
  run make -s -C kernel CC=mpicc.openmpi
  [ "$code" -ne 0 ] || fail "the kernel can be built without what it calls"
  expect_matches "$err" '#error "MPI_[A-Za-z_]+_c came with MPI 4\.0: this kernel needs that version or a later one"'
  run_bounded -r again mpirun.openmpi -n 3 "$refrain" replay -q --root again trace.rfn
  expect_code 1
  expect_matches "$err" 'rank [0-2]: MPI_[A-Za-z_]+_c\(.*: there is no function MPI_[A-Za-z_]+_c here'
fi
make -s -C kernel CC=mpicc.mpich >"$out" 2>&1 || fail "the kernel can't be built"
run_bounded -r again "$refrain" record -q -o kernel.rfn -- mpirun.mpich -n 3 kernel/large_counts --root again
expect_code 0
run "$refrain" diff --root again trace.rfn kernel.rfn
expect_code 0
run_bounded -r again mpirun.mpich -n 3 "$refrain" replay -q --root again --record replay.rfn trace.rfn
expect_code 0
run "$refrain" diff --root again trace.rfn replay.rfn
expect_code 0
