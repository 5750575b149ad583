# Where a recording's own output goes says nothing about the program: two runs with different ones are the same.
# Files that the program's shell redirects to keep their names.
source "$(dirname "$0")/lib.sh"

printf 'some text\n' >input
for run in one two; do
  "$refrain" record -q -o "$run.rfn" -- sh -c 'echo hello; cat input >copy; echo sorry >&2' >"$run.txt" 2>"$run.err"
done
expect_equal "$(cat two.txt)" hello
expect_equal "$(cat two.err)" sorry
run "$refrain" diff one.rfn two.rfn
expect_code 0
run "$refrain" dump --no-times one.rfn
expect_matches "$out" 'inherited\(1, "<stdout>", O_WRONLY'
expect_matches "$out" 'inherited\(2, "<stderr>", O_WRONLY'
expect_contains "$out" 'copy"'
expect_lacks "$out" 'one.txt'

# A replay writes it below its root.
"$refrain" record -q -o alone.rfn -- sh -c 'echo hello' >alone.txt
run "$refrain" replay -q --prepare --root again alone.rfn
expect_code 0
expect_equal "$(stat -c %s 'again/<stdout>')" 6
