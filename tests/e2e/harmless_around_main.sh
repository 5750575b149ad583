# The application comes first: calls before main and after it are made and recorded like all others.
source "$(dirname "$0")/lib.sh"

expect_transparent "$programs/around_main"
expect_equal "$(cat "$base/traced.code")" 5
expect_lines "$base/traced/notes" 8
expect_calls 8 'open\("notes"'
# Eight notes, and what the stream of the global object holds when it goes.
expect_calls 9 '^ +write\(fd[0-9]+, data, [0-9]+\) -> [0-9]+$'
expect_calls 1 'fopen\("left_open"'
expect_equal "$(info 'trace["processes"][0]["ending"]')" exited
