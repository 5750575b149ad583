# A program that starts another world: the call is recorded, and so is what the other world does.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_spawn"

expect_transparent mpirun -n 1 "$programs/mpi_spawn"
expect_equal "$(info 'len(trace["processes"])')" 3
expect_calls 1 '^ +MPI_Comm_spawn\("[^"]*mpi_spawn", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD\) -> comm0$'
expect_calls 1 '^ +MPI_File_open\(MPI_COMM_WORLD, "parents",'
expect_calls 2 '^ +MPI_File_open\(MPI_COMM_WORLD, "children",'

# Other programs are not started by a replay, which says so beforehand.
run "$refrain" replay --dry-run --process 0 "$base/traced.rfn"
expect_code 0
expect_contains "$out" 'MPI_Comm_spawn is not replayed: it starts programs'
run "$refrain" replay --dry-run --process 0 --json "$base/traced.rfn"
expect_contains "$out" '"not_replayed"'
