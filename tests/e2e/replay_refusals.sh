# What a replay can't do it refuses with a reason before it does anything; what it needs and lacks it says; and values
# of attributes that were kept are written and recorded again.
source "$(dirname "$0")/lib.sh"

# A layer of which there are no calls; what is said of another is what it writes.
"$refrain" record -q -o dd.rfn -- dd if=/dev/zero of=data bs=1000 count=7 status=none
run "$refrain" replay --root r1 --layer hdf5 dd.rfn
expect_refused
expect_contains "$err" 'nothing to replay: the trace holds no calls of layer hdf5'
expect_no_file r1
run "$refrain" replay --layer hdf5 --dry-run dd.rfn
expect_refused
run "$refrain" replay --root r1 --layer posix dd.rfn
expect_code 0
expect_contains "$err" '7.00 KB to be written'

# Folders that the program found are made in any case, by a replay as by a kernel; files only with --prepare, and the
# advice is given where one is missing, and not otherwise.
mkdir -p app/out
cd app
seq 100 >input
"$refrain" record -q -o "$base/copy.rfn" -- dd if=input of=out/copy status=none
"$refrain" record -q -o "$base/write.rfn" -- dd if=/dev/zero of=out/zeros bs=10 count=1 status=none
cd "$work"
advice='run with --prepare to make the input files that the program found'
run "$refrain" replay -q --root r2 "$base/write.rfn"
expect_code 0
expect_equal "$(stat -c %s r2/out/zeros)" 10
run "$refrain" replay -q --root r3 "$base/copy.rfn"
expect_code 1
expect_contains "$err" "refrain: $advice"
run "$refrain" replay -q --root r3 --prepare "$base/copy.rfn"
expect_code 0
expect_empty "$err"
mkdir -p r4/out/copy
cp app/input r4
run "$refrain" replay -q --root r4 "$base/copy.rfn"
expect_code 1
expect_lacks "$err" "$advice"
if command -v make cc >/dev/null; then
  "$refrain" generate -q "$base/copy.rfn" -o kernel
  make -s -C kernel
  run kernel/dd --root r5
  expect_code 1
  expect_contains "$err" "dd: $advice"
  run kernel/dd --root r5 --prepare
  expect_code 0
  expect_empty "$err"
fi

if [ -x "$programs/h5_attributes" ]; then
  "$refrain" record -q --keep-attributes -o kept.rfn -- "$programs/h5_attributes" >/dev/null
  run "$refrain" replay -q --root r6 --record again.rfn kept.rfn
  expect_code 0
  run "$refrain" diff --root r6 kept.rfn again.rfn
  expect_code 0
fi

# A grid of processes takes all ranks of the job. What lies below MPI does not.
if [ -x "$examples/jacobi" ]; then
  "$refrain" record -q -o jacobi.rfn -- mpirun -n 4 "$examples/jacobi" >/dev/null
  for launcher in '' 'mpirun -n 1'; do
    run $launcher "$refrain" replay -q --root r7 --subset 0 jacobi.rfn </dev/null
    expect_code 2
    expect_contains "$err" 'refrain: --subset can'"'"'t replay MPI_Cart_create, which takes all 4 ranks'
    expect_no_file r7
  done
  run "$refrain" replay -q --root r7 --subset 0 --layer posix jacobi.rfn
  expect_code 0
fi

# Calls that no program leaves behind, or that were made of what was there before: the call and the reason are named, and
# with --keep-going the others are made.
# forged REASON <CALLS
forged() {
  { echo 'open "before" @O_WRONLY|O_CREAT @0644 = fd#9'; cat; echo 'mkdir "after" @0755 = 0'; } >calls
  "$build/tests/forge_trace" forged.rfn <calls
  rm -rf r8
  run "$refrain" replay -q --root r8 --max-bytes 1G forged.rfn
  expect_code 1
  expect_contains "$err" "$1"
  expect_file r8/before
  expect_no_file r8/after
  run "$refrain" replay -q --root r8 --max-bytes 1G --keep-going forged.rfn
  expect_code 1
  expect_file r8/after
}
forged 'open("x", O_SIDEWAYS, 0644) -> fd0: the unknown name O_SIDEWAYS' <<<'open "x" @O_SIDEWAYS @0644 = fd#0'
forged 'a flag that is no name' <<<'open "x" 7 @0644 = fd#0'
forged 'uses fd3, which nothing has made' <<<'close fd#3 = 0'
forged 'a number that is none' <<<'ftruncate fd#9 @many = 0'
forged 'bytes at once, for which there is no memory' <<<'pread fd#9 ~ 9000000000000 0 = 0'
forged 'devices are not made again' <<<'mknod "device" @020666 259 = 0'
