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
