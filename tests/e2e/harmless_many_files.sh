# The application comes first: thousands of open files, each with a slot of its own, and the limit on open files.
source "$(dirname "$0")/lib.sh"

ulimit -n 6000 2>/dev/null || { echo "skipped: can't raise the limit on open files to 6000"; exit 77; }
expect_transparent "$programs/many_files" 5000
expect_calls 5000 'open\("f[0-9]+", O_RDWR\|O_CREAT, 0644\) -> fd[0-9]+$'
expect_equal "$(grep -oE 'O_CREAT, 0644\) -> fd[0-9]+$' "$out" | sort -u | wc -l)" 5000
expect_equal "$(grep -oE 'pwrite\(fd[0-9]+, data, 4, [0-9]+\)' "$out" | sort -u | wc -l)" 5000
expect_calls 20000 ' write\(fd[0-9]+'

# At the limit neither the program nor the recorder can open anything; nothing may be lost for it.
ulimit -n 200
expect_transparent "$programs/many_files" 1000
expect_contains "$base/traced.stdout" 'Too many open files'
expect_calls 1 'open\("f[0-9]+", O_RDWR\|O_CREAT, 0644\) -> EMFILE$'
expect_calls 1 'fopen\("stream", w\) -> EMFILE$'
expect_calls 20000 ' write\(fd[0-9]+'

# A thread for which no part can be made: its calls are lost and counted, those of the others are not.
run_both "$programs/thread_at_limit"
expect_calls 300 'pwrite\(fd0, data, 5, '
expect_equal "$(info "$calls_lost")" 100
run "$refrain" info "$base/traced.rfn"
expect_contains "$out" 'could not be recorded: EMFILE'
