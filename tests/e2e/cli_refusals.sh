# Commands that can't do what they are asked say why in one line and leave nothing behind.
source "$(dirname "$0")/lib.sh"

# refuses MESSAGE COMMAND...
refuses() {
  run "$refrain" "${@:2}"
  expect_refused
  expect_contains "$err" "$1"
}

refuses "no command is named 'sideways'" help sideways
refuses 'which command should be run?' run --coordinator tcp://127.0.0.1:1

# Sizes of traces.
scale_free=$golden/v5.rfn ordinary=$golden/v2.rfn
refuses 'which runs?' extrapolate -o any.rfn
refuses 'where to? Give -o FILE' extrapolate "$ordinary"
refuses 'not scale-free: a trace of' dump --ranks 77 "$ordinary"
refuses 'already scale-free' extrapolate "$scale_free" "$ordinary" -o any.rfn
refuses 'say for how many ranks' diff "$scale_free" "$ordinary"
expect_no_file any.rfn

# Plans of jobs.
refuses "no way of sharing is named 'politely'" schedule simulate jobs.json --sharing politely
refuses "must be a positive number or 'alpha', is 'high'" schedule plan jobs.json --mapping easy --sensibility high
refuses 'needs a folder for its figures' schedule compare --paper
refuses 'makes its own workloads' schedule compare --paper -o figures jobs.json
expect_no_file figures
refuses "must be a positive number for each I/O node, is 'fast'" dispatch --dry-run --partitions a --bandwidth fast
