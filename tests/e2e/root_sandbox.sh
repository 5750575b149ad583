# The sandbox around replays and kernels: what is said of it, and that calls which would reach beyond the program's own
# files are made all the same.
source "$(dirname "$0")/lib.sh"
need make cc

"$refrain" record -q -o steps.rfn -- "$examples/timesteps" >/dev/null
run "$refrain" replay -q --json --root r1 steps.rfn
expect_code 0
expect_matches "$out" '"sandbox": "(on|unavailable)"'
run "$refrain" replay -q --json --no-sandbox --root r2 steps.rfn
expect_contains "$out" '"sandbox": "off"'

# laws PROGRAM MODE...  Replay and kernel, recorded, are equal to the trace.
laws() {
  rm -rf app replay kernel run
  mkdir app
  (cd app && "$refrain" record -q -o ../trace.rfn -- "$@" >/dev/null </dev/null)
  run "$refrain" replay -q --root replay trace.rfn
  expect_code 0
  expect_matches "$out" '^1 process, '
  rm -rf replay
  run "$refrain" replay -q --root replay --record again.rfn trace.rfn
  expect_code 0
  run "$refrain" diff --root "$work/replay" trace.rfn again.rfn
  expect_code 0
  run "$refrain" generate -q trace.rfn -o kernel
  expect_code 0
  run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  run "kernel/$(basename "$1")" --root run
  expect_code 0
  rm -rf run
  run "$refrain" record -q -o again.rfn -- "kernel/$(basename "$1")" --root run
  expect_code 0
  run "$refrain" diff --root "$work/run" trace.rfn again.rfn
  expect_code 0
}
# Descriptors are closed around ours, files without a name lie below the root, links lead where they led.
laws "$programs/descriptors" close_range
laws "$programs/linked"
expect_equal "$(readlink run/a/b/up run/a/b/absolute run/straight | tr '\n' ' ')" '../../file ../../etc/nothing a/b '

# One request that can do harm is refused by name; the rest is generated, and runs up to there.
"$refrain" record -q -o odd.rfn -- "$programs/linked" request >/dev/null
run "$refrain" replay -q --root r3 odd.rfn
expect_code 1
expect_contains "$err" 'request 0x40086602 is none of those that a replay makes'
rm -rf kernel
"$refrain" generate -q odd.rfn -o kernel
make -s -C kernel CFLAGS=-O0
run kernel/linked --root r4
expect_code 1
expect_contains "$err" 'ioctl 0x40086602: is none of the requests that a kernel makes'
expect_file r4/file
