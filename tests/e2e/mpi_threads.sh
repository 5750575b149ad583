# MPI_THREAD_MULTIPLE: every thread's calls stand in its own stream; threads that MPI starts for itself in none.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_threads"

expect_transparent mpirun -n 2 "$programs/mpi_threads" 3 20
expect_calls $((2 * 3 * 20)) '^ +MPI_File_write_at\(fh0, [0-9]+, data 512, 512, MPI_BYTE\)$'
expect_calls $((2 * 3)) '^ +MPI_File_open\(MPI_COMM_SELF, "mpi_[0-9]+_[0-9]+"'
expect_equal "$(info '[(p["ranks"], p["threads"]) for p in trace["processes"]]')" "[('0..1', 8)]"  # and not MPI's own
