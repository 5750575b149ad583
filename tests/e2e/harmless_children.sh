# The application comes first: child processes however they are made. Parent and child are processes of their own in
# the trace, and what the child does to its descriptors stays its own affair.
source "$(dirname "$0")/lib.sh"
prepare() { printf 'one line\nanother line\n' >input; }

# The parent's own calls, the same every time: its descriptors are right after the child as before.
expect_parent() {
  run "$refrain" dump --expand --no-times "$base/traced.rfn"
  expect_code 0
  sed -n '/^process 0 /,/^process 1 /p' "$out" | grep -E '^ ' | grep -v redirected >"$base/parent"
  expect_contains "$base/parent" 'open("log", O_WRONLY|O_CREAT|O_APPEND, 0644) -> fd0'
  expect_contains "$base/parent" 'write(fd0, data, 7) -> 7'
  expect_contains "$base/parent" 'write(fd0, data, 6) -> 6'
  expect_contains "$base/parent" 'open("last", O_WRONLY|O_CREAT|O_TRUNC, 0644) -> fd0'
  expect_lacks "$base/parent" 'inherited('
  expect_equal "$(info 'trace["processes"][0]["ending"]')" exited
}

expect_transparent "$programs/children" fork
expect_parent
expect_calls 1 'open\("made_by_child"'
expect_calls 1 '^ +inherited\([0-9]+, "log", O_WRONLY\|O_APPEND, [0-9]+\) -> fd0$'
expect_calls 1 'write\(fd[0-9]+, data, 13\) -> 13'
expect_equal "$(info 'len(trace["processes"])')" 2
expect_equal "$(info '[p["ending"] for p in trace["processes"]]')" "['exited', 'exited']"

for kind in fork_exec vfork_exec spawn system popen; do
  expect_transparent "$programs/children" $kind
  expect_parent
  run "$refrain" dump --expand --no-times "$base/traced.rfn"
  expect_matches "$out" '^process [0-9]+ ".*/cat" exited$'
  expect_calls 1 'open\("input", O_RDONLY\)'
done

expect_transparent "$programs/children" vfork_fail
expect_parent
expect_equal "$(info 'len(trace["processes"])')" 1

expect_transparent "$programs/children" grandchild
expect_parent
expect_calls 1 'open\("made_by_grandchild"'

# Nothing of what the child does is laid at the parent's door, even before it has made a call of its own.
expect_transparent "$programs/vfork_first"
run "$refrain" dump --expand --no-times "$base/traced.rfn"
sed -n '/vfork_first"/,/^process .*cat"/p' "$out" >"$base/parent"
expect_lacks "$base/parent" 'dup2('
expect_calls 1 'open\("after"'
expect_equal "$(info 'sorted(p["program"].split("/")[-1] for p in trace["processes"])')" "['cat', 'vfork_first']"
