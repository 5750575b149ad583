# Sourced by tests of programs that start another world.

# expect_worlds MPICC PROGRAM  tests/programs/mpi_c/mpi_spawn.c, compiled with the library whose launcher is in `mpirun`.
expect_worlds() {
  expect_transparent "$mpirun" -n 1 "$2"
  expect_equal "$(info 'len(trace["processes"])')" 3
  expect_calls 0 'MPI_(Comm_spawn|Comm_disconnect|Intercomm_merge|Comm_split|Comm_group|Barrier|Comm_set_errhandler)\('
  expect_calls 1 '^ +MPI_File_open\(MPI_COMM_WORLD, "parents",'
  expect_calls 2 '^ +MPI_File_open\(MPI_COMM_WORLD, "children",'
  expect_calls 1 '^ +MPI_Comm_dup\(MPI_COMM_WORLD\) -> comm0$'
  run "$refrain" dump --no-times "$base/traced.rfn"
  expect_matches "$out" '^note "MPI started processes'

  # Kernel and replay make the program's own calls, and start nothing. The other world is no part of this recording.
  run mpi 2 "$refrain" record -o trace.rfn -- "$2"
  expect_code 0
  expect_contains "$err" 'MPI started processes'
  run "$refrain" generate -q trace.rfn -o kernel
  expect_code 0
  expect_lacks "$(ls kernel/*.c)" 'spawn('
  run make -s -C kernel "CC=$1" CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  expect_repeated 2 mpi_spawn own

  # I/O together with the other world is recorded, and refused.
  run "$refrain" record -q -o "$base/traced.rfn" -- "$mpirun" -n 1 "$2" together
  expect_code 0
  expect_calls 3 '^ +MPI_File_open\(foreign, "together",'
  run "$refrain" generate -q --process 0 "$base/traced.rfn" -o refused
  expect_code 2
  expect_matches "$err" "MPI_File_open.*a communicator with processes that the trace doesn't hold"
  run "$refrain" replay -q --process 0 --root refused "$base/traced.rfn"
  expect_matches "$err" "MPI_File_open.*a communicator with processes that the trace doesn't hold"
}
