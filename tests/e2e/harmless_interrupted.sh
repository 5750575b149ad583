# The application comes first: signal handlers, jumps, cancelled threads, exceptions, and errno.
source "$(dirname "$0")/lib.sh"

# Events of one kind, those that other calls caused included.
all_calls() { "$refrain" dump --expand --no-times --layer-streams "$base/traced.rfn" | grep -cE -- "$1" || true; }
lost() { info "sum(p['lost']['$1'] for p in trace['processes'])"; }

# A handler that writes while the program writes: a call in a handler is recorded, or counted as lost when it fell into
# the recorder's own work; the program's are all there.
run_both "$programs/interrupted" handler
expect_calls 2000 'pwrite\(fd1, data, 64, '
ticks=$(all_calls ' write\(fd0, data, 5\) -> 5')
[ $((ticks + $(lost in_handlers))) -ge 50 ] || fail "$ticks of 50 ticks recorded, $(lost in_handlers) lost"
expect_equal "$(lost abandoned)" 0

# Jumps out of calls: what was running is counted as abandoned, what comes after is recorded as usual.
run_both "$programs/interrupted" jump
expect_calls 105 'write\(fd[0-9@]+, data, 6\) -> 6'
[ "$(lost abandoned)" -ge 5 ] || fail "jumps were not noticed"

# Cancelled threads give their lanes back.
run_both "$programs/interrupted" cancel
[ "$(info 'trace["threads"]')" -le 3 ] || fail "lanes are not used again"
expect_equal "$(info "$calls_lost")" 0

expect_transparent "$programs/interrupted" errno
expect_calls 1 'open\("no/such/file", O_RDONLY\) -> ENOENT$'
expect_calls 1 'mkdir\("\.", 0755\) -> EEXIST$'
expect_calls 1 'rmdir\("data"\) -> ENOTDIR$'
expect_calls 5000 'pwrite\(fd1, data, 1, '

# A stream that writes: the application called fprintf, which caused two calls of write.
run_both "$programs/interrupted" cookie
expect_calls 0 ' write\('
expect_equal "$(all_calls ' write\(fd[0-9]+, data, 7\) -> 7')" 20

run_both "$programs/thrown"
expect_contains "$base/traced.stdout" 'no room'
expect_calls 3 ' write\(fd0, data, 6\) -> 6'
