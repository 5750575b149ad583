# Paths relative to a descriptor: kernels and replays go where the program went, and what is excluded by its absolute path
# is excluded however it is named. Nothing of ours is left when the program has moved to another folder.
source "$(dirname "$0")/lib.sh"
need make cc

"$refrain" record -q -o "$base/below.rfn" -- "$programs/below_descriptors" >/dev/null
"$refrain" dump --no-times "$base/below.rfn" >below.txt
expect_contains below.txt 'openat(fd0, "..", O_RDONLY|O_DIRECTORY) -> fd1'
expect_contains below.txt 'fstatat(fd0, "../x", data, 0)'
expect_lacks below.txt proc/
rm -rf a
"$refrain" record -q --exclude "$work/a/x" -o "$base/without.rfn" -- "$programs/below_descriptors" >/dev/null || true
"$refrain" dump --no-times "$base/without.rfn" >without.txt
expect_lacks without.txt '"x"'
expect_lacks without.txt '../x'

run "$refrain" generate -q "$base/below.rfn" -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run "$refrain" record -q -o again.rfn -- kernel/below_descriptors --root k --prepare
expect_code 0
run "$refrain" diff --root k "$base/below.rfn" again.rfn
expect_code 0
run "$refrain" replay -q --root r --prepare --record again.rfn "$base/below.rfn"
expect_code 0
run "$refrain" diff --root r "$base/below.rfn" again.rfn
expect_code 0
expect_equal "$(cd k && find . | sort | tr '\n' ' ')" ". ./a ./a/b ./a/c ./a/x "
expect_equal "$(cd r && find . | sort | tr '\n' ' ')" ". ./a ./a/b ./a/c ./a/x "
