# Of a Python script, what it does itself is recorded, and not what the interpreter reads to run it; the trace is called
# after the script.
source "$(dirname "$0")/lib.sh"
python=/usr/bin/python3  # and no script of that name which looks for one
need $python

cat >other.py <<'PYTHON'
def rows(n): return "".join(f"{i}\n" for i in range(n))
PYTHON
cat >table.py <<'PYTHON'
import csv, json
from other import rows
with open("table.csv", "w") as out: out.write(rows(1000))
print(sum(int(line) for line in open("table.csv")))
PYTHON
run "$refrain" record -q -- $python table.py
expect_code 0
run "$refrain" info --json --files table.rfn
cp "$out" files.json
paths='[f["path"] for f in data["file_table"]["files"]]'
expect_equal "$(json files.json "\"table.csv\" in $paths")" True
expect_equal "$(json files.json "[p for p in $paths if p.endswith(\".py\") or \"python3\" in p]")" '[]'
run "$refrain" record -q --all-files -o all.rfn -- $python table.py
expect_code 0
run "$refrain" dump --no-times all.rfn
expect_contains "$out" 'table.py'
expect_contains "$out" 'lib/python'
run "$refrain" record -q -- $python -u -W ignore other.py
expect_code 0
expect_file other.rfn
run "$refrain" record -q -- $python -c 'open("x", "w").write("y")'
expect_code 0
expect_file python3.rfn
