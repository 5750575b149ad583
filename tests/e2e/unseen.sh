# What goes past the recorder is said: the kernel counts what a process reads and writes, and what no hook has seen of
# it stands in the messages of `record`, in `info` and in `dump`. Nothing is said of calls that are seen, recorded or
# not, nor of what stdio reads ahead.
source "$(dirname "$0")/lib.sh"
need gcc python3
program=$programs/past_hooks
grep -q '^wchar:' /proc/self/io || { echo "skipped: the kernel doesn't count I/O"; exit 77; }

# unseen_bytes  Those written and read, as the last `run` said.
unseen_bytes() { sed -nE 's/.*calls are missing: at least ([0-9]+) bytes written and ([0-9]+) bytes read by (1 process) .*/\1 \2/p' "$err"; }

for mode in raw quick threads; do
  run "$refrain" record -o $mode.rfn -- "$program" $mode
  expect_code 0
  read -r written read < <(unseen_bytes) || fail "nothing is said of what was unseen"
  # A bound from below, and not far below; what the program's start reads may be on top.
  [ "$written" -ge 1000000 ] && [ "$written" -le 1100000 ] || fail "of 1048576 bytes written, $written are said"
  [ "$read" -ge 500000 ] && [ "$read" -le 650000 ] || fail "of 524288 bytes read, $read are said"
  run "$refrain" info $mode.rfn
  expect_contains "$out" 'went past the recorder'
  run "$refrain" info --json $mode.rfn
  expect_contains "$out" '"complete": false'
  run "$refrain" dump $mode.rfn
  expect_contains "$out" 'went past the recorder'
done

run "$refrain" record -o seen.rfn -- "$program" seen
expect_code 0
expect_lacks "$err" 'calls are missing'
run "$refrain" info --json seen.rfn
expect_contains "$out" '"complete": true'

# Programs that nobody prepared: everything they do is seen.
for command in 'cp copy.dat copied.dat' 'sort -o sorted stream.dat' 'gzip -k stream.dat' 'tar cf all.tar seen.dat'; do
  run "$refrain" record -o ordinary.rfn -- $command
  expect_code 0
  expect_lacks "$err" 'past the recorder'
done

run "$program" ring
if [ $code != 77 ]; then
  run "$refrain" record -o ring.rfn -- "$program" ring
  expect_contains "$err" 'calls are missing: 1 process had a ring of io_uring'
fi

# A program that can't be recorded at all: its figures are the kernel's.
gcc -static -pthread -o "$base/static" "$source_tree/tests/programs/past_hooks.c" -lrt 2>"$err" || fail "can't link"
run "$refrain" record -o static.rfn -- "$base/static" raw
expect_contains "$err" 'statically linked'
expect_matches "$err" "by the kernel's count, 52[0-9] KB were read and 1.05 MB written"
