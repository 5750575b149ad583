# The options of a replay, and that it stays in its folder whatever a trace says.
source "$(dirname "$0")/lib.sh"

# One process that copies a file to a place of our choice.
mkdir -p "$base/app/below"
cd "$base/app/below"
seq 1 5000 >input
"$refrain" record -q -o "$base/up.rfn" -- dd if=input of=../above bs=1000 status=none
"$refrain" record -q -o "$base/absolute.rfn" -- dd if=input "of=$base/app/absolute" bs=1000 status=none
"$refrain" record -q -o "$base/missing.rfn" -- cat nothing_there >/dev/null 2>&1 || true
mkdir folder
"$refrain" record -q -o "$base/folder.rfn" -- dd if=input of=folder/copy bs=1000 status=none
cd "$work"

# What the program found is made on request; without it, the failure is named, with rank and event.
run "$refrain" replay -q --root r1 "$base/up.rfn"
expect_code 1
expect_matches "$err" '^refrain: rank 0: .*"input".*: No such file or directory$'
run "$refrain" replay -q --root r1 --prepare "$base/up.rfn"
expect_code 0
expect_equal "$(stat -c %s r1/input r1/above | tr '\n' ' ')" "23893 23893 "
expect_no_file above

# Absolute paths lose their slash, and nothing is written where they point to.
rm "$base/app/absolute"
run "$refrain" replay -q --root r2 --prepare "$base/absolute.rfn"
expect_code 0
expect_no_file "$base/app/absolute"
expect_file "r2$base/app/absolute"

# A folder by another spelling is the same folder, and made by the call itself.
(cd "$base/app" && "$refrain" record -q -o "$base/made.rfn" -- mkdir made/)
run "$refrain" replay -q --root r10 --prepare "$base/made.rfn"
expect_code 0
"$refrain" dump "$base/made.rfn" >made.txt
expect_contains made.txt 'mkdir("made/"'

# Standard streams that were files are files again, and what the replay has to say is not in them.
(cd "$base/app/below" && "$refrain" record -q -o "$base/streams.rfn" -- cat input input >both)
run "$refrain" replay -q --root r11 --prepare --record streams.rfn "$base/streams.rfn"
expect_code 0
expect_matches "$out" '^posix '
expect_equal "$(stat -c %s 'r11/<stdout>')" 47786
run "$refrain" diff --root r11 "$base/streams.rfn" streams.rfn
expect_code 0

# HDF5 files, with objects that were only opened.
if [ -x "$programs/h5_reader" ]; then
  (cd "$base/app" && "$programs/h5_reader" make && "$refrain" record -q -o "$base/reader.rfn" -- "$programs/h5_reader")
  run "$refrain" replay -q --root r12 --prepare --record reader.rfn "$base/reader.rfn"
  expect_code 0
  run "$refrain" diff --root r12 "$base/reader.rfn" reader.rfn
  expect_code 0
fi

# Links that the program looked at.
(cd "$base/app" && ln -s below/input link && "$refrain" record -q -o "$base/link.rfn" -- readlink link >/dev/null)
run "$refrain" replay -q --root r9 --prepare --record link.rfn "$base/link.rfn"
expect_code 0
expect_equal "$(readlink r9/link | wc -c)" "$(echo below/input | wc -c)"
run "$refrain" diff --root r9 "$base/link.rfn" link.rfn
expect_code 0

# A link that is there already doesn't lead out.
mkdir outside r3
ln -s "$work/outside" r3/folder
run "$refrain" replay -q --root r3 --prepare "$base/folder.rfn"
expect_code 2
expect_contains "$err" 'leads out of the root'
expect_no_file outside/copy
cp "$base/app/below/input" r3/input
run "$refrain" replay -q --root r3 "$base/folder.rfn"
expect_code 1
expect_contains "$err" 'leads out of the root'
expect_no_file outside/copy

# Failures that were recorded are expected.
run "$refrain" replay -q --root r4 "$base/missing.rfn"
expect_code 0

# A folder of its own by default; limits; what would be done.
run "$refrain" replay --prepare "$base/up.rfn"
expect_code 0
expect_contains "$err" '23.9 KB to be written below'
expect_matches "$out" '^phase +recorded s +now s +bytes +recorded +now$'
expect_equal "$(ls -d up.replay-*/ | wc -l)" 1
run "$refrain" replay -q --root r5 --max-bytes 10K "$base/up.rfn"
expect_code 2
expect_contains "$err" 'would write 23.9 KB, and --max-bytes allows 10.0 KB'
run "$refrain" replay --dry-run "$base/up.rfn"
expect_code 0
expect_contains "$out" '23.9 KB to be written'
expect_contains "$out" '  ../above'
run "$refrain" replay --dry-run --json "$base/up.rfn"
expect_contains "$out" '"bytes_written": 23893'
expect_no_file r5/above

# As often and as filled as asked for.
"$refrain" record -q -o "$base/steps.rfn" -- "$examples/timesteps" | cat >/dev/null
run "$refrain" replay -q --root r6 --repeat 3 --fill zero --json "$base/steps.rfn"
expect_code 0
expect_contains "$out" '"bytes_written": 125952000'
expect_contains "$out" '"calls": 2040'
expect_equal "$(tr -d '\0' <r6/ckpt_0003.dat | wc -c)" 0
run "$refrain" replay -q --root r7 --prepare --record again.rfn "$base/steps.rfn"
expect_code 0
run "$refrain" diff --root "$work/r7" "$base/steps.rfn" again.rfn
expect_code 0

# Wrong words.
run "$refrain" replay --think often "$base/up.rfn"
expect_refused
run "$refrain" replay --layer mpiio --process 7 "$base/up.rfn"
expect_refused
run "$refrain" replay nothing.rfn
expect_refused
head -c 200 "$base/up.rfn" >cut.rfn
run "$refrain" replay cut.rfn
expect_refused

command -v mpirun >/dev/null && [ -x "$examples/iosample" ] || { echo "skipped: the rest needs MPI"; exit 77; }
"$refrain" record -q -o "$base/io.rfn" -- mpirun -n 4 "$examples/iosample" >/dev/null </dev/null
run "$refrain" replay "$base/io.rfn"
expect_refused
expect_contains "$err" 'takes 4 ranks, and here is one; start it with mpirun -n 4'
run mpi 2 "$refrain" replay -q --root s1 --subset 1,3 --keep-going "$base/io.rfn"
expect_matches "$out" '^2 processes'
run mpi 4 "$refrain" replay -q --root s2 --layer posix "$base/io.rfn"
expect_code 0
expect_lacks "$out" mpiio
