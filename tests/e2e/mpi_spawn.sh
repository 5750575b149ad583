# A program that starts another world: that is communication, timed and not recorded; so is what it does with the other
# world's communicator, unless that is I/O. What the other world does is recorded beside.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_spawn.sh"
need mpirun "$programs/mpi_spawn"
expect_worlds mpicc "$programs/mpi_spawn"
