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
