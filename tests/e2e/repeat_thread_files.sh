# Threads that hand files on: nothing in a trace says when, so kernels and replays wait for files and for what is in
# them. With --prepare as without, no file is there that should not be.
source "$(dirname "$0")/lib.sh"
need make cc

# built TRACE  Its kernel, in kernel/.
built() {
  rm -rf kernel
  run "$refrain" generate -q "$1" -o kernel
  expect_code 0
  run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
}
# expect_again TRACE FOLDER  What was recorded in again.rfn is the same.
expect_again() {
  expect_code 0
  expect_lacks "$err" 'less than recorded'
  run "$refrain" diff --root "$2" "$1" again.rfn
  expect_code 0
}

"$refrain" record -q -o "$base/threads.rfn" -- "$programs/thread_files" >/dev/null
built "$base/threads.rfn"
for option in "" --prepare; do
  run "$refrain" record -q -o again.rfn -- kernel/thread_files --root "kernel$option" $option
  expect_again "$base/threads.rfn" "kernel$option"
  run "$refrain" replay -q --root "replay$option" --record again.rfn $option "$base/threads.rfn"
  expect_again "$base/threads.rfn" "replay$option"
done

command -v mpirun >/dev/null && [ -x "$programs/mpi_thread_files" ] || { echo "skipped: the rest needs MPI"; exit 77; }
head -c 2000 /dev/zero >input
"$refrain" record -q -o "$base/ranks.rfn" -- mpirun -n 2 "$programs/mpi_thread_files" </dev/null
built "$base/ranks.rfn"
run "$refrain" record -q -o again.rfn -- mpirun -n 2 kernel/mpi_thread_files --root k2 --prepare </dev/null
expect_again "$base/ranks.rfn" k2
run "$refrain" record -q -o again.rfn -- mpirun -n 2 "$refrain" replay -q --root r2 --prepare "$base/ranks.rfn" </dev/null
expect_again "$base/ranks.rfn" r2
expect_equal "$(ls k2)" "$(ls r2)"
for folder in k2 r2; do expect_equal "$(cd $folder && stat -c %s input part.* | sort | uniq -c | tr -s ' \n' ' ')" " 1 2000 6 8000 "; done

# What MPI-IO read less than recorded is said once, for all ranks.
run mpi 2 kernel/mpi_thread_files --root k3
expect_code 1
expect_matches "$err" '^mpi_thread_files: 2 reads brought 2000 bytes less than recorded; the first, on rank 0: MPI_File_read_at_all\('
expect_equal "$(grep -c 'less than recorded' "$err")" 1
run mpi 2 "$refrain" replay -q --root r3 "$base/ranks.rfn"
expect_code 1
expect_matches "$err" '^refrain: 2 reads brought 2,000 bytes less than recorded; the first, on rank 0: MPI_File_read_at_all\('
expect_equal "$(grep -c 'less than recorded' "$err")" 1

# A job that ended by MPI_Abort ends so again, when all ranks have made their calls.
run_bounded "$refrain" record -q -o "$base/aborted.rfn" -- mpirun -n 2 "$programs/mpi_thread_files" abort
expect_code 7
built "$base/aborted.rfn"
run_bounded -r k4 "$refrain" record -q -o again.rfn -- mpirun -n 2 kernel/mpi_thread_files --root k4 --prepare
expect_code 7
expect_contains "$err" 'mpi_thread_files: rank 1 ends the job by MPI_Abort with code 7, as the recorded one did'
expect_matches "$out" '^posix|^mpiio'
run "$refrain" diff --root k4 "$base/aborted.rfn" again.rfn
expect_code 0
run_bounded -r r4 "$refrain" record -q -o again.rfn -- mpirun -n 2 "$refrain" replay -q --root r4 --prepare "$base/aborted.rfn"
expect_code 7
expect_contains "$err" 'refrain: rank 1 ends the job by MPI_Abort with code 7, as the recorded one did'
run "$refrain" diff --root r4 "$base/aborted.rfn" again.rfn
expect_code 0
