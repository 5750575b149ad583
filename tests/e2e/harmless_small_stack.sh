# The application comes first: the recorder gets by with little of the application's stack.
source "$(dirname "$0")/lib.sh"

expect_transparent "$programs/small_stack"
expect_calls 3 'open\("by_handler"'
expect_calls 6 '^ +writev\(fd[0-9]+, \[7, 8\]\) -> 15$'
expect_calls 5003 '^ +write\(fd0, data, [0-9]+\) -> [0-9]+$'
