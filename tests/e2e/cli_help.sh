# Every command explains itself, and wrong usage is one helpful line and exit code 2.
source "$(dirname "$0")/lib.sh"

run "$refrain" --help
expect_code 0
cp "$out" general_help
for command in $(sed -n '/^Commands:/,/^$/p' general_help | awk 'NF > 1 { print $1 }'); do
  run "$refrain" "$command" --help
  expect_code 0
  expect_empty "$err"
  expect_contains "$out" 'Example:'
  expect_contains "$out" 'refrain'
  cp "$out" by_option
  run "$refrain" help "$command"
  expect_code 0
  expect_same by_option "$out"
done

run "$refrain" help
expect_code 0
expect_same general_help "$out"

run "$refrain" --version
expect_code 0
expect_matches "$out" '^refrain [0-9]+\.[0-9]+\.[0-9]+$'

run "$refrain" --version --verbose
expect_code 0
expect_contains "$out" 'coordinates jobs (ZeroMQ): '
expect_matches "$out" '^refrain [0-9.]+$'

# The list of variables is that of the sources.
run "$refrain" help environment
expect_code 0
grep -oE 'REFRAIN_[A-Z0-9_]+' "$out" | sort -u >listed
grep -rhoE '"REFRAIN_[A-Z0-9_]+' "$source_tree/src" --include='*.cpp' --include='*.hpp' --include='*.h' --include='*.def' \
  --exclude='*_test.cpp' --exclude=judge.hpp | tr -d '"' | sort -u >used
expect_same listed used

run "$refrain"
expect_refused
run "$refrain" recrod -- ls
expect_refused
expect_contains "$err" "Did you mean 'record'?"
run "$refrain" explode
expect_refused
expect_contains "$err" "refrain --help"
run "$refrain" help dunp
expect_refused
expect_contains "$err" "Did you mean 'dump'?"
run "$refrain" dump --no-such-option x.rfn
expect_refused
expect_contains "$err" 'no-such-option'
run "$refrain" dump
expect_refused
run "$refrain" record
expect_refused
run "$refrain" record --
expect_refused
run "$refrain" --no-such-option
expect_refused
