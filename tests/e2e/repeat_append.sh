# A file that one rank makes and others append to, one after the other: who appends waits until it is written. Who comes
# first of several that append is chance where messages are not repeated.
source "$(dirname "$0")/lib.sh"
need make cc mpirun "$programs/mpi_append"

run "$refrain" record -q -o "$base/app.rfn" -- mpirun -n 2 "$programs/mpi_append" </dev/null
expect_code 0
run "$refrain" generate -q "$base/app.rfn" -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O2 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
for try in 1 2 3; do
  run "$refrain" record -q -o kernel.rfn -- mpirun -n 2 kernel/mpi_append --root "k$try" </dev/null
  expect_code 0
  run "$refrain" diff --root "k$try" "$base/app.rfn" kernel.rfn
  expect_code 0
  expect_equal "$(stat -c %s "k$try/dump_1.txt")" "$(stat -c %s dump_1.txt)"
  run "$refrain" record -q -o again.rfn -- mpirun -n 2 "$refrain" replay -q --root "r$try" "$base/app.rfn" </dev/null
  expect_code 0
  run "$refrain" diff --root "r$try" "$base/app.rfn" again.rfn
  expect_code 0
done

rm -f dump_*
run "$refrain" record -q -o "$base/four.rfn" -- mpirun -n 4 "$programs/mpi_append" </dev/null
expect_code 0
run "$refrain" generate -q "$base/four.rfn" -o kernel4
run make -s -C kernel4
expect_code 0
run "$refrain" record -q -o kernel.rfn -- mpirun -n 4 kernel4/mpi_append --root k4 </dev/null
expect_code 0
run "$refrain" diff --root k4 "$base/four.rfn" kernel.rfn
expect_code 0
expect_equal "$(stat -c %s k4/dump_1.txt)" "$(stat -c %s dump_1.txt)"
run "$refrain" record -q -o again.rfn -- mpirun -n 4 "$refrain" replay -q --root r4 "$base/four.rfn" </dev/null
expect_code 0
run "$refrain" diff --root r4 "$base/four.rfn" again.rfn
expect_code 0
expect_equal "$(stat -c %s r4/dump_0.txt)" "$(stat -c %s dump_0.txt)"
