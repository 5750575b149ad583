# The application comes first: every descriptor has the number it would have had, also when standard streams are
# closed or a program closes all that it does not know.
source "$(dirname "$0")/lib.sh"

# The shell in front closes streams, so that the recorder meets the program with them closed.
closing() { expect_transparent bash -c "exec '$programs/descriptors' plain $1"; }

expect_transparent "$programs/descriptors" plain
expect_calls 6 'open\("(first|second)_[0-2]", O_RDWR\|O_CREAT, 0644\) -> fd[0-9]+$'
expect_transparent "$programs/descriptors" close_all
expect_calls 6 'open\("(first|second)_[0-2]"'
expect_calls 1 'open\("report", .*\) -> fd'
expect_transparent "$programs/descriptors" close_range
if nm -D --undefined-only "$programs/descriptors" | grep -q close_range; then # not before glibc 2.34
  expect_calls 1 'close_range\(3, 4294967295, 0\)'
  expect_calls 1 'closefrom\(3\)'
fi
# All slots are free again after closefrom.
expect_calls 1 'open\("second_0", O_RDWR\|O_CREAT, 0644\) -> fd0$'
expect_transparent "$programs/descriptors" close_std
expect_contains "$base/traced/report" 'first_0 0'
expect_calls 6 'open\("(first|second)_[0-2]"'

closing '<&-'
expect_contains "$base/traced/report" 'first_0 0'
closing '>&-'
expect_contains "$base/traced/report" 'first_0 1'
closing '2>&-'
closing '<&- >&- 2>&-'
expect_contains "$base/traced/report" 'first_2 2'
expect_calls 6 'open\("(first|second)_[0-2]"'

# The command itself may be started that way too.
prepare_box
bash -c "'$refrain' record -q -o '$base/traced.rfn' -- '$programs/descriptors' plain <&- >&- 2>&-"
keep_box direct
expect_same "$base/direct/report" "$base/traced/report"
expect_calls 6 'open\("(first|second)_[0-2]"'
