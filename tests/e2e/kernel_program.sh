# The interface of kernels: options, refusals in words, what is said when a call fails, names that try to break out.
source "$(dirname "$0")/lib.sh"
need make cc

make_kernel() {
  run "$refrain" generate -q "$1" -o "$2"
  expect_code 0
  run make -s -C "$2" CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror" CC="${3:-cc}"
  expect_code 0
}

"$refrain" record -q -o app.rfn -- "$examples/timesteps" >/dev/null
rm -f ckpt_*
make_kernel app.rfn kernel
run kernel/timesteps --help
expect_code 0
expect_contains "$out" '--think'
run kernel/timesteps --root run --repeat 2 --fill zero --think none
expect_code 0
expect_matches "$out" '^posix +1360 '
expect_file run/ckpt_0009.dat
expect_no_file ckpt_0000.dat
run kernel/timesteps --color
expect_code 2
expect_matches "$err" "^timesteps: .*'--color'"
run kernel/timesteps
expect_code 0
expect_equal "$(ls -d timesteps.run-* | wc -l)" 1

# The same text every time, and with another compiler no warning either.
"$refrain" generate -q app.rfn -o again
expect_same kernel/timesteps.c again/timesteps.c
expect_same kernel/refrain_kernel.h again/refrain_kernel.h
if command -v clang >/dev/null; then make_kernel app.rfn again clang; fi

# A call that fails but did not: the kernel says which, where and why.
mkdir -p full/ckpt_0003.dat
run kernel/timesteps --root full
expect_code 1
expect_matches "$err" '^timesteps: rank 0: open\(.*\): Is a directory$'

# Names are data: none can end a string, a format or a comment.
"$refrain" record -q -o names.rfn -- "$programs/hostile_names" >/dev/null
make_kernel names.rfn names
if command -v clang >/dev/null; then make_kernel names.rfn names clang; fi
run "$refrain" record -q -o again.rfn -- names/hostile_names --root names/run
expect_code 0
run "$refrain" diff names.rfn again.rfn
expect_code 0

# Names with many numbers fold like others: the kernel holds loops, not the names of 1,944 files.
"$refrain" record -q -o deep.rfn -- "$programs/deep_names" >/dev/null
make_kernel deep.rfn deep
[ "$(stat -c %s deep/deep_names.c)" -lt 40000 ] || fail "a kernel of $(stat -c %s deep/deep_names.c) bytes"
run "$refrain" record -q -o again.rfn -- deep/deep_names --root deep/run
expect_code 0
run "$refrain" diff deep.rfn again.rfn
expect_code 0

# A reference in a file that the program found leads to an object by its name; an encoded type there leads nowhere.
if [ -x "$programs/h5_handed_on" ]; then
  "$programs/h5_handed_on" >/dev/null
  "$refrain" record -q -o found.rfn -- "$programs/h5_handed_on" first.h5 >/dev/null
  make_kernel found.rfn found
  run "$refrain" record -q -o again.rfn -- found/h5_handed_on --prepare --root found/run
  expect_code 0
  run "$refrain" diff found.rfn again.rfn
  expect_code 0
  run "$refrain" replay -q --prepare --root found/replay --record again.rfn found.rfn
  expect_code 0
  run "$refrain" diff --root "$work/found/replay" found.rfn again.rfn
  expect_code 0
  "$refrain" record -q -o found.rfn -- "$programs/h5_handed_on" first.h5 type >/dev/null
  run "$refrain" generate -q found.rfn -o refused
  expect_refused
  expect_matches "$err" 'H5Tdecode .*takes .* an encoded object .* that no recorded call of its thread made'
  run "$refrain" replay -q --prepare --root refused found.rfn
  expect_code 1
  expect_matches "$err" 'H5Tdecode\(.*takes .* an encoded object .* that no recorded call made'
fi
