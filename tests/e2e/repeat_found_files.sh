# What a program found is an input, however it opened it, and a read that brings less than the recorded one is said in the
# end: by kernels and replays, with exit code 1.
source "$(dirname "$0")/lib.sh"
need make cc

"$programs/found_files" make
(cd "$work" && "$refrain" record -q -o "$base/found.rfn" -- "$programs/found_files") >/dev/null
run "$refrain" generate -q "$base/found.rfn" -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0

# expect_again FOLDER  What was recorded in again.rfn is the same, and so are the files.
expect_again() {
  expect_code 0
  expect_lacks "$err" less
  run "$refrain" diff --root "$1" "$base/found.rfn" again.rfn
  expect_code 0
  expect_equal "$(cd "$1" && stat -c '%n %s' state log asked old new run/out | tr '\n' ' ')" \
    "state 1000 log 110 asked 20 old 30 new 50 run/out 60 "
}
run "$refrain" record -q -o again.rfn -- kernel/found_files --root r1 --prepare
expect_again r1
run "$refrain" replay -q --root r2 --prepare --record again.rfn "$base/found.rfn"
expect_again r2

# Without, but with what the calls would fail without: reads bring less.
for root in r3 r4; do mkdir $root; touch $root/asked $root/old; done
run kernel/found_files --root r3
expect_code 1
expect_lines "$err" 2
expect_matches "$err" '^found_files: 1 read brought 4 bytes less than recorded; the first, on rank 0: read\('
expect_contains "$err" 'run with --prepare'
run "$refrain" replay -q --root r4 "$base/found.rfn"
expect_code 1
expect_lines "$err" 2
expect_contains "$err" 'refrain: 1 read brought 4 bytes less than recorded; the first, on rank 0: read(fd0, data, 8192) -> 4'
expect_contains "$err" 'run with --prepare'

