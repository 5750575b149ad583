# Static libraries that 'refrain link-flags' can't read are named, with what is wrong about them.
source "$(dirname "$0")/lib.sh"

# refuses MESSAGE LIBRARY
refuses() {
  run "$refrain" link-flags --static "$2"
  expect_refused
  expect_contains "$err" "$2: $1"
}

library() { # SIZE COUNT: an archive that begins with an index of SIZE bytes, of COUNT symbols, and has one
  printf '!<arch>\n/               0           0     0     0       %-10s`\n' "$1"
  printf '%b' "\\0\\0\\0\\x$2" '\0\0\0\x44' 'one\0'
}
printf 'not an archive' >text.a
refuses 'is not a static library' text.a
library 4000 1 >short.a
refuses 'ends within its index of symbols' short.a
library 12 40 >damaged.a
refuses 'has a damaged index of symbols' damaged.a
{ printf '!<arch>\n'; printf 'a.o/            0           0     0     644     %-10s`\nmember' 6; } >bare.a
refuses "has no index of symbols; 'ranlib' makes one" bare.a
