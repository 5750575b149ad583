# Files that are read and written through io_uring: recorded, repeated by kernels and replays, counted; on several ranks.
source "$(dirname "$0")/lib.sh"
need make cc "$programs/uring"
program=$programs/uring
run "$program"
[ "$code" -ne 77 ] || { echo "skipped: there is no io_uring here"; exit 77; }
expect_code 0
rm -rf "$work"/*

# The program doesn't notice, and nothing depends on the moment.
expect_transparent "$program"
for turn in app again_1 again_2 again_3; do
  mkdir "$turn"
  (cd "$turn" && "$refrain" record -q -o "../$turn.rfn" -- "$program" 2>&1 | cat >/dev/null)
  run "$refrain" diff app.rfn "$turn.rfn"
  expect_code 0
done

# What is in flight, and what of it the program took.
"$refrain" dump --no-times app.rfn >text
expect_contains text 'io_uring_queue_init(8, 0) -> ring0'
expect_contains text 'uring_write(ring0, fd0, data, 4096, 4096*'
expect_contains text 'io_uring_submit_and_wait(ring0, 8) -> 8'
expect_contains text 'uring_taken(ring0, 8, 0, 0)'
expect_contains text 'uring_readv(ring0, fd0, [256, 344], 600, 8192)'
expect_contains text 'io_uring_register_buffers(ring0, [8192, 8192])'
expect_matches text 'uring_write_fixed\(ring0, fd0, 0, 8192, .*, IOSQE_FIXED_FILE\)'
expect_matches text 'uring_write_fixed\(ring0, 1, 0, 8192, .*, IOSQE_FIXED_FILE\)' # its descriptor is closed
expect_contains text 'uring_write(ring0, fd0, data, 1000, 200000, IOSQE_IO_LINK)'
expect_contains text 'uring_fsync(ring0, fd0, IORING_FSYNC_DATASYNC)'
expect_contains text 'uring_openat(ring0, AT_FDCWD, "by_ring_{i}.dat", O_RDWR|O_CREAT|O_TRUNC, 0644) -> fd1'
expect_contains text 'uring_close(ring0, fd1)'
expect_contains text 'uring_taken(ring0, 0, 1, 0)'  # used before its completion was taken
expect_lacks text inherited
expect_contains text 'uring_other(ring0, IORING_OP_MADVISE)'
"$refrain" info --json app.rfn >info.json
python3 - <<'P'
import json
functions = {}
def walk(x):
    if isinstance(x, dict):
        if "function" in x or "name" in x:
            functions[x.get("function", x.get("name"))] = x
        for v in x.values(): walk(v)
    elif isinstance(x, list):
        for v in x: walk(v)
info = json.load(open("info.json"))
walk(info)
assert functions["uring_write"]["bytes_written"] == 36 * 4096 + 1000, functions["uring_write"]
assert functions["uring_read"]["bytes_read"] == 32 * 4096, functions["uring_read"]
P
"$refrain" api --layer uring >text
expect_contains text 'int io_uring_submit(struct io_uring* ring)'

# sizes FOLDER
sizes() { (cd "$1" && find . -type f -printf '%p %s\n' | sort); }
sizes app >app.files

# A kernel of it, and a replay, recorded.
run "$refrain" generate -q app.rfn -o kernel
expect_code 0
expect_empty "$err"
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
record_kernel() {
  run "$refrain" record -q -o kernel.rfn -- kernel/uring --root kernel/run
  expect_code 0
}
expect_all_equal app.rfn kernel.rfn kernel/run record_kernel
sizes kernel/run >kernel.files
expect_same app.files kernel.files
record_replay() {
  run "$refrain" replay -q --root replay --record replay.rfn app.rfn
  expect_code 0
}
expect_all_equal app.rfn replay.rfn replay record_replay
sizes replay >replay.files
expect_same app.files replay.files

# A trace that no program leaves behind: the replay and the kernel end in words, and nothing is made outside.
forge() { "$build/tests/forge_trace" forged.rfn; }
# refused REASON
refused() {
  local kernel
  rm -rf forged_root forged_kernel
  run timeout 60 "$refrain" replay -q --root forged_root forged.rfn
  expect_code 1
  expect_contains "$err" "$1"
  run "$refrain" generate -q forged.rfn -o forged_kernel
  expect_code 0
  run make -s -C forged_kernel CFLAGS=-O0
  expect_code 0
  kernel=$(ls forged_kernel/*.c)
  run timeout 60 "${kernel%.c}" --root forged_root
  expect_code 1
  expect_contains "$err" "$1"
}
open_file='open "x" @O_RDWR|O_CREAT @0644 = fd#0'
forge <<X
io_uring_queue_init 4 @0 = ring#0
uring_nop ring#0
io_uring_submit ring#0 = 1
uring_taken ring#0 2 0 0
X
refused 'takes more completions than are in flight'
forge <<X
io_uring_queue_init 2 @0 = ring#0
$open_file
uring_write ring#0 fd#0 ~ 10 0
uring_write ring#0 fd#0 ~ 10 10
uring_write ring#0 fd#0 ~ 10 20
X
refused 'the ring is full'
forge <<X
io_uring_queue_init 2 @0 = ring#0
io_uring_queue_exit ring#0
uring_nop ring#0
X
run timeout 60 "$refrain" replay -q --root forged_root forged.rfn
expect_code 1
# By the first wall alone. The folder that a path begins in is another one when the entry is submitted.
inside() {
  local kernel
  rm -rf forged_root forged_kernel
  run timeout 60 "$refrain" replay -q --no-sandbox --root forged_root forged.rfn
  expect_no_file "$base/outside.dat"
  expect_no_file outside.dat
  expect_file app.rfn
  rm -rf forged_root
  run "$refrain" generate -q forged.rfn -o forged_kernel
  expect_code 0
  run make -s -C forged_kernel CFLAGS=-O0
  expect_code 0
  kernel=$(ls forged_kernel/*.c)
  run timeout 60 "${kernel%.c}" --no-sandbox --root forged_root
  expect_no_file "$base/outside.dat"
  expect_no_file outside.dat
  expect_file app.rfn
}
forge <<X
io_uring_queue_init 4 @0 = ring#0
uring_openat ring#0 @AT_FDCWD "$base/outside.dat" @O_RDWR|O_CREAT @0644 = fd#0
uring_openat ring#0 @AT_FDCWD "../../outside.dat" @O_RDWR|O_CREAT @0644 = fd#1
io_uring_submit ring#0 = 2
uring_taken ring#0 2 2 0
uring_unlinkat ring#0 @AT_FDCWD "$work/app.rfn" @0
io_uring_submit ring#0 = 1
uring_taken ring#0 1 0 1
X
inside
forge <<X
io_uring_queue_init 4 @0 = ring#0
mkdir "a" @0755 = 0
chdir "a" = 0
uring_openat ring#0 @AT_FDCWD "../outside.dat" @O_RDWR|O_CREAT @0644 = fd#0
chdir ".." = 0
io_uring_submit ring#0 = 1
uring_taken ring#0 1 1 0
X
inside
expect_file forged_root/outside.dat
