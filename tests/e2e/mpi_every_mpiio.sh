# Every file function of MPI is recorded, with what its arguments need, and the program can't tell.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/every_mpiio"
works mpi 1 "$programs/every_mpiio" || { echo "skipped: not all functions of this MPI library work"; exit 77; }

expect_transparent -x views mpirun -n 3 "$programs/every_mpiio"
expect_equal "$(info '[p["ranks"] for p in trace["processes"]]')" "['0..2']"  # and not the launcher
run "$refrain" dump --expand --no-times "$base/traced.rfn"
cp "$out" "$base/calls"
for function in $(sed -nE 's/^API(_HAND)?\(mpiio, (MPI_[A-Za-z_]+),.*/\2/p' "$source_tree/src/api/mpiio/rows.def"); do
  case $function in
    MPI_Cancel | MPI_Request_free) continue ;;
  esac
  grep -qE "^ +$function\(" "$base/calls" || fail "no call of $function"
done
# Handles by name or as slots, lists in full, results as what was told.
expect_matches "$base/calls" 'MPI_File_open\(MPI_COMM_WORLD, "[^"]+", MPI_MODE_CREATE\|MPI_MODE_RDWR, [A-Za-z_0-9]+\) -> fh0$'
expect_matches "$base/calls" 'MPI_File_set_view\(fh[0-9]+, [0-9]+, MPI_[A-Z]+, mpitype[0-9]+, native, [A-Za-z_0-9]+\)$'
expect_matches "$base/calls" 'MPI_Type_create_subarray\(\[[0-9, ]+\], \[[0-9, ]+\], \[[0-9, ]+\], MPI_ORDER_C, MPI_[A-Z]+\) -> mpitype[0-9]+$'
expect_matches "$base/calls" 'MPI_Type_create_struct\(\[[0-9, ]+\], \[[0-9, ]+\], \[.*MPI_.*\], \[.*\]\) -> mpitype[0-9]+$'
expect_matches "$base/calls" 'MPI_File_iwrite_at\(fh[0-9]+, [0-9]+, data [0-9]+, [0-9]+, MPI_[A-Z]+\) -> request[0-9]+$'
expect_matches "$base/calls" 'MPI_Waitall\(\[[-0-9, ]+\]\)$'
expect_lacks "$base/calls" 'inherited_object'
expect_matches "$base/calls" 'MPI_Graph_create\(MPI_COMM_WORLD, \[1, 2, 3\], \[1, 2, 0\], 0\) -> comm[0-9]+$'
expect_matches "$base/calls" 'MPI_Dist_graph_create\(MPI_COMM_WORLD, \[[0-2]\], \[1\], \[[0-2]\], \[1\], MPI_INFO_NULL, 0\) -> comm[0-9]+$'
expect_matches "$base/calls" 'MPI_Type_create_f90_real\(15, -?[0-9]+\) -> mpitype[0-9]+$'
expect_matches "$base/calls" 'MPI_Op_create\(.*\) -> op[0-9]+$'
expect_matches "$base/calls" '^ +MPI_Init(_thread)?\('
expect_matches "$base/calls" '^ +MPI_Finalize\(\)$'
# The system calls that MPI makes are in a stream of their own; its own files are not.
run "$refrain" dump --expand --no-times --layer-streams "$base/traced.rfn"
expect_contains "$out" 'layer posix'
expect_lacks "$out" '/ompi.'
