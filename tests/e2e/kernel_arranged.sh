# A kernel is arranged for readers: the start-up in a file of its own, what a long loop does to a file in a function, and
# main short. Computing times stand in the order of the text, and belong to the calls that they belonged to.
source "$(dirname "$0")/lib.sh"
need make cc

mkdir app
(cd app && "$refrain" record -q -o ../app.rfn -- "$programs/phases")
run "$refrain" generate -q app.rfn -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
expect_contains kernel/phases.c '#include "phases_startup.h"'
expect_contains kernel/phases_startup.h 'FILE_LOG'
expect_lacks kernel/phases_startup.h 'pwrite'
expect_contains kernel/README.md 'phases_startup.h'
for name in first second third; do
  expect_contains kernel/phases.c "static void write_$name(long long i)"
  expect_contains kernel/phases.c "    write_$name(i);"
done
run "$refrain" record -q -o again.rfn -- kernel/phases --root again --think recorded
expect_code 0
run "$refrain" diff --root again app.rfn again.rfn
expect_code 0
# The program computes 60 ms before one call of the second file; so does the kernel.
"$refrain" dump again.rfn >text
expect_equal "$(sed -n '/open("second_/,/open("third_/p' text | grep -c 'lseek(fd0, 250, .* gap [0-9][0-9.]*ms')" 1
# Its own kernel is the same.
"$refrain" generate -q again.rfn -o twice
expect_same kernel/phases.c twice/phases.c
expect_same kernel/phases_startup.h twice/phases_startup.h
