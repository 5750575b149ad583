# `refrain report`: in a real browser, what the page shows is what `info --json` says; searching, sorting and folding
# work; nothing is fetched, and nothing is said on the console.
source "$(dirname "$0")/lib.sh"
"$refrain" report --help >/dev/null 2>&1 || { echo "skipped: built without reports"; exit 77; }
need node chromium
export HOME=$base TMPDIR=$base
browse() { node "$source_tree/tests/browser/report.mjs" "$(command -v chromium)" "$@"; }
all_tables=(--files --by-rank --layers --counters --json)

run "$refrain" record -q -o t.rfn -- "$examples/timesteps"
expect_code 0
run "$refrain" report t.rfn -o t.html
expect_code 0
expect_matches "$err" '^refrain: wrote t.html: 1 run, '
[ "$(stat -c %s t.html)" -lt 400000 ] || fail "larger than a few hundred KB"
"$refrain" info "${all_tables[@]}" t.rfn >t.json
run browse t.html t.json
expect_code 0

run node "$source_tree/tests/browser/large_tree.mjs" "$(command -v chromium)" t.html large.html
expect_code 0

run "$refrain" report missing.rfn -o no.html
expect_refused
expect_no_file no.html
run "$refrain" report t.rfn -o missing/folder.html
expect_refused

command -v mpirun >/dev/null && [ -x "$examples/vpicio" ] || exit 0
run "$refrain" record -q -o v.rfn -- mpirun -n 4 "$examples/vpicio"
expect_code 0
"$refrain" info "${all_tables[@]}" v.rfn >v.json
run "$refrain" report -q v.rfn t.rfn -o both.html
expect_code 0
expect_empty "$err"
run browse both.html v.json --dark
expect_code 0
