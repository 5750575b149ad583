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

# Static libraries whose index of symbols is not what it says it is.
library() { # SIZE COUNT: an archive that begins with an index of SIZE bytes, of COUNT symbols, and has one
  printf '!<arch>\n/               0           0     0     0       %-10s`\n' "$1"
  printf '%b' "\\0\\0\\0\\x$2" '\0\0\0\x44' 'one\0'
}
printf 'not an archive' >text.a
refuses 'text.a: is not a static library' link-flags --static text.a
library 4000 1 >short.a
refuses 'short.a: ends within its index of symbols' link-flags --static short.a
library 12 40 >damaged.a
refuses 'damaged.a: has a damaged index of symbols' link-flags --static damaged.a
{ printf '!<arch>\n'; printf 'a.o/            0           0     0     644     %-10s`\nmember' 6; } >bare.a
refuses "bare.a: has no index of symbols; 'ranlib' makes one" link-flags --static bare.a
