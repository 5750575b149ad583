# A statically linked program: recording it says why it can't, and linking the recorder in makes it work.
source "$(dirname "$0")/lib.sh"

compiler=${CC:-gcc}
"$compiler" -O2 -c "$source_tree/examples/timesteps.c" -o timesteps.o
"$compiler" -static -o bare timesteps.o
run "$refrain" record -o bare.rfn -- ./bare
expect_code 0
expect_lines "$err" 1
expect_contains "$err" 'statically linked'
expect_no_file bare.rfn
expect_no_file bare.rfn.parts

run "$refrain" link-flags
expect_code 0
expect_contains "$out" '-Wl,--wrap=pwrite'
"$compiler" -static -o linked timesteps.o $(cat "$out") 2>"$err" || fail "could not link"
run "$refrain" record -q -o linked.rfn -- ./linked
expect_code 0
expect_empty "$err"
expect_sound linked.rfn
run "$refrain" dump --no-times linked.rfn
expect_contains "$out" '2097152*j + 65536*k + 4096'
