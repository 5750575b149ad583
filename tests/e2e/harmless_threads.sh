# The application comes first: threads with files of their own and a shared one, side by side and in sequence.
source "$(dirname "$0")/lib.sh"

expect_transparent "$programs/many_threads"
expect_calls 700 '^ +write\(fd[0-9]+, data, 512\) -> 512$'
expect_calls 700 '^ +pwrite\(fd0@0, data, 512, [0-9]+\) -> 512$'
expect_calls 14 'open\("own_[0-9]+"'
expect_equal "$(info 'len(trace["processes"])')" 1
# A thread that comes after another has ended takes its place: at most the main thread and four beside it.
[ "$(info 'trace["threads"]')" -le 5 ] || fail "lanes are not used again"
