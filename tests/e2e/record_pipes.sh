# Pipes are left out unless a rule asks for them, by the name that the system gives them.
source "$(dirname "$0")/lib.sh"

printf 'some text\n' >input
run "$refrain" record -q -o plain.rfn -- sh -c 'cat input | cat >copy'
expect_code 0
run "$refrain" dump --no-times plain.rfn
expect_lacks "$out" 'pipe:'

run "$refrain" record -q --include 'pipe:*' -o pipes.rfn -- sh -c 'cat input | cat >copy'
expect_code 0
run "$refrain" dump --no-times pipes.rfn
expect_contains "$out" 'inherited(1, "pipe:['
expect_contains "$out" 'inherited(0, "pipe:['

# A name that leads to a file, then to a pipe, and to others as links and folders change.
run "$refrain" record -q -o kinds.rfn -- "$programs/other_kinds"
expect_code 0
run "$refrain" dump --no-times --expand kinds.rfn
for bytes in 4 6 7; do
  [ "$(grep -c "write(fd.*, data, $bytes) -> $bytes" "$out")" = 2 ] || fail "writes of $bytes bytes to files are recorded"
done
for bytes in 5 8 9; do
  expect_lacks "$out" "data, $bytes)"
done
