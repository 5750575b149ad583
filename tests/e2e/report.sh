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

run "$refrain" report t.rfn -o -
expect_code 0
expect_empty "$err"
"$refrain" report t.rfn -o - | cmp - t.html || fail "standard output gets another page"
mkdir folder
run "$refrain" report t.rfn -o folder
expect_refused
expect_contains "$err" 'folder: a folder'
expect_no_file folder.tmp

# Runs of one name are told apart by their folders.
cp t.rfn folder/t.rfn
run "$refrain" report t.rfn folder/t.rfn -o -
expect_contains "$out" '"name":"folder/t.rfn"'

run "$refrain" report missing.rfn -o no.html
expect_refused
expect_no_file no.html
run "$refrain" report t.rfn -o missing/folder.html
expect_refused

# Only the largest of many files.
run "$refrain" record -q -o many.rfn -- bash -c 'mkdir many; for i in $(seq 2100); do echo "$i" >many/$i; done'
expect_code 0
"$refrain" report -q many.rfn -o many.html
"$refrain" info "${all_tables[@]}" many.rfn >many.json
run browse many.html many.json
expect_code 0

# And of many ranks that all do something else; a few hundred KB are enough.
awk 'BEGIN { print "rank,function,arguments,kinds,result,gap_ns,duration_ns"
  for (r = 0; r < 6000; ++r) {
    n = 4096 + r * r % 5003
    print r ",open,\"\"\"f" r "\"\", \"\"O_WRONLY|O_CREAT\"\", \"\"0644\"\"\",text name name > slot:fd,fd0," 1000 * r % 77777 ",20000"
    print r ",pwrite,\"fd0, data, " n ", 0\",slot:fd data int:size int:offset > int:written," n ",5000,100000" } }' >ranks.csv
"$refrain" import -q --from csv ranks.csv -o ranks.rfn 2>/dev/null
run "$refrain" info --heat-map ranks.rfn
expect_equal "$(grep -E '^[0-9]+[.][.][0-9]+ *[|]' "$out" | sed 's/|.*//' | awk '{ print length }' | sort -u | wc -l)" 1
"$refrain" report -q ranks.rfn -o ranks.html
[ "$(stat -c %s ranks.html)" -lt 500000 ] || fail "larger than a few hundred KB"
"$refrain" info "${all_tables[@]}" ranks.rfn >ranks.json
run browse ranks.html ranks.json
expect_code 0

# Calls without any rule: rows of the tree and places of advice are long, on paper as well.
awk 'BEGIN { srand(7); print "rank,function,arguments,kinds,result,gap_ns,duration_ns"
  print "0,open,\"\"\"f\"\", \"\"O_RDWR|O_CREAT\"\", \"\"0644\"\"\",text name name > slot:fd,fd0,10,2000"
  for (i = 0; i < 20000; ++i) {
    n = 1 + int(rand() * 1000)
    if (rand() < 0.5) print "0,pwrite,\"fd0, data, " n ", " 3 * n "\",slot:fd data int:size int:offset > int:written," n ",500,3000"
    else print "0," (rand() < 0.5 ? "fsync" : "fdatasync") ",fd0,slot:fd,,500,90000" } }' >irregular.csv
"$refrain" import -q --from csv irregular.csv -o irregular.rfn 2>/dev/null
"$refrain" report -q irregular.rfn -o irregular.html
"$refrain" info "${all_tables[@]}" irregular.rfn >irregular.json
run browse irregular.html irregular.json
expect_code 0

# Laws, and what is in doubt about them.
laws() { node "$source_tree/tests/browser/laws.mjs" "$(command -v chromium)" "$@"; }
"$refrain" info --json "$golden/v5.rfn" >laws.json
"$refrain" info --ranks 64 "$golden/v5.rfn" >/dev/null 2>warnings.txt
run "$refrain" report -q "$golden/v5.rfn" -o laws.html
run laws laws.html laws.json
expect_code 0
run "$refrain" report -q "$golden/v5.rfn" --ranks 64 -o laws64.html
run laws laws64.html laws.json warnings.txt
expect_code 0

# Jobs as they are scheduled, and as a coordinator saw them.
"$refrain" schedule generate --load 3 --seed 7 -o jobs.json
run "$refrain" report t.rfn --jobs jobs.json --policy stretch --mapping easy --sensibility 1.5 -o all.html
expect_code 0
expect_matches "$err" '^refrain: wrote all.html: 2 runs, '
run "$refrain" report --jobs jobs.json --policy stretch --mapping easy --sensibility 1.5 -o jobs.html
expect_code 0
"$refrain" schedule simulate jobs.json --policy stretch --mapping easy --sensibility 1.5 --json >jobs_out.json
run node "$source_tree/tests/browser/schedule.mjs" "$(command -v chromium)" jobs.html jobs_out.json
expect_code 0
run node "$source_tree/tests/browser/schedule.mjs" "$(command -v chromium)" jobs.html jobs_out.json --dark
expect_code 0
run "$refrain" report -o none.html
expect_refused
expect_contains "$err" 'nothing to show'
run "$refrain" report --journal jobs.json -o none.html
expect_refused
expect_no_file none.html

command -v mpirun >/dev/null && [ -x "$examples/vpicio" ] || exit 0
run "$refrain" record -q -o v.rfn -- mpirun -n 4 "$examples/vpicio"
expect_code 0
"$refrain" info "${all_tables[@]}" v.rfn >v.json
run "$refrain" report -q v.rfn t.rfn -o both.html
expect_code 0
expect_empty "$err"
run browse both.html v.json --dark
expect_code 0
