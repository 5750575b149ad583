# `refrain diff` answers with its exit code: 0 equal, 1 different, 2 can't tell.
source "$(dirname "$0")/lib.sh"
trace=$golden/v1.rfn

run "$refrain" diff --all "$trace" "$trace"
expect_code 0
expect_matches "$out" '^equal: '
run "$refrain" diff --json "$trace" "$trace"
expect_code 0
python3 -c 'import json, sys; assert json.load(open(sys.argv[1])) == {"equal": True}' "$out"

run "$refrain" diff --counters --all "$trace" "$trace"
expect_code 0
expect_matches "$out" '^equal: [0-9]+ counters$'
run "$refrain" info --counters "$trace"
expect_code 0
expect_matches "$out" '^consecutive '
run "$refrain" info --counters --json "$trace"
expect_code 0
python3 -c 'import json, sys
posix = json.load(open(sys.argv[1]))["accesses"]["outer"]["posix"]
assert sum(posix["writes"]["sizes"].values()) == posix["writes"]["accesses"] > 0' "$out"

run "$refrain" diff "$trace" missing.rfn
expect_refused
expect_contains "$err" missing.rfn
head -c 300 "$trace" >cut.rfn
run "$refrain" diff cut.rfn "$trace"
expect_refused
expect_contains "$err" cut.rfn
run "$refrain" diff "$trace"
expect_refused
