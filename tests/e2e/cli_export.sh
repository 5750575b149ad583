# `refrain export` on traces that are there already: every format is read back by its own tool or by a small reader.
source "$(dirname "$0")/lib.sh"
need python3 sqlite3

run "$refrain" export --help
expect_code 0
expect_contains "$out" 'Example:'
for format in csv sqlite perfetto codes ior h5bench darshan-parser; do expect_contains "$out" "$format"; done

trace=$golden/v2.rfn
run "$refrain" info --json "$trace"
cp "$out" info.json

run "$refrain" export --to csv "$trace" -o tables
expect_code 0
expect_matches "$err" '^refrain: wrote tables: [0-9]+ calls'
expect_contains "$err" 'times are reconstructed'
run "$refrain" export --to csv "$trace" -o tables
expect_refused

run "$refrain" export --to sqlite "$trace" -o - -q
expect_code 0
sqlite3 trace.db <"$out"

run "$refrain" export --to perfetto "$trace" -o timeline.json
expect_code 0

# The tables say what `info` says, CSV and SQL the same.
python3 - <<'PYTHON'
import csv, json, sqlite3
csv.field_size_limit(1 << 30)
info = json.load(open("info.json", errors="replace"))
calls = list(csv.DictReader(open("tables/calls.csv", newline="", errors="surrogateescape")))
db = sqlite3.connect("trace.db")
db.text_factory = bytes
assert len(calls) == info["outer"]["calls"] == db.execute("select count(*) from calls").fetchone()[0], len(calls)
for column in ("bytes_read", "bytes_written"):
    total = sum(int(c[column]) for c in calls if c[column])
    assert total == db.execute(f"select sum({column}) from calls").fetchone()[0] or 0, column
    ranks = csv.DictReader(open("tables/ranks.csv", newline="", errors="surrogateescape"))
    assert total == sum(int(r[column]) for r in ranks), column
names = [row[0].decode() for row in db.execute("select name from sqlite_master where type = 'table' order by name")]
assert names == ["calls", "files", "phases", "ranks", "trace"], names
rows = db.execute("select function, arguments, result from calls").fetchall()
for call, row in zip(calls, rows):
    assert [call[k].encode(errors="surrogateescape") for k in ("function", "arguments", "result")] == list(row), row
by_function = {}
for call in calls:
    by_function[call["function"]] = by_function.get(call["function"], 0) + 1
for f in info["outer"]["functions"]:
    assert by_function[f["function"]] == f["calls"], f

timeline = json.load(open("timeline.json"))
assert "reconstructed" in timeline["otherData"]["times"]
tracks = set()
for event in timeline["traceEvents"]:
    assert event["ph"] in ("M", "X") and isinstance(event["pid"], int), event
    if event["ph"] == "M":
        assert event["args"]
        if event["name"] == "thread_name": tracks.add((event["pid"], event["tid"]))
    else:
        assert event["ts"] >= 0 and event["dur"] >= 0 and isinstance(event["name"], str), event
        assert (event["pid"], event["tid"]) in tracks, event
assert any(e["ph"] == "X" for e in timeline["traceEvents"])
PYTHON

# Where a trace has no times, exports don't say that they put some together.
cat >timeless.csv <<'CSV'
rank,function,arguments,kinds,result
0,close,fd0,slot:fd,
CSV
"$refrain" import -q --from csv timeless.csv -o timeless.rfn 2>/dev/null
for format in csv sqlite perfetto codes darshan-parser; do
  run "$refrain" export --to "$format" timeless.rfn -o "timeless_$format"
  expect_code 0
  expect_contains "$err" 'the trace has no times'
  expect_lacks "$err" 'reconstructed'
done
run "$refrain" info timeless.rfn
expect_matches "$out" '^calls +1, folded into 1 node$'

# A scale-free trace at a number of ranks; large transfers in pieces of the same sum.
run "$refrain" export --to codes "$golden/v4.rfn" -o codes
expect_refused
run "$refrain" export --to codes "$golden/v4.rfn" --ranks 6 -o codes
expect_code 0
python3 "$(dirname "$0")/iolang.py" codes 6 >operations
expect_equal "$(find codes -name 'rank*.txt' | wc -l)" 6
# What is not in the files is said.
run "$refrain" export --to codes "$golden/v2.rfn" -o beside
expect_code 0
expect_contains "$err" 'no ranks of the program are left out: 2'
run "$refrain" export --to codes "$golden/v2.rfn" --layer mpiio -o nothing
expect_code 0
expect_contains "$err" 'no operations of layer mpiio'

for format in ior darshan-parser; do
  run "$refrain" export --to "$format" "$golden/v9.rfn" -o "$format.out"
  [ "$code" -eq 0 ] || expect_refused
done
run "$refrain" export --to nonsense "$trace" -o x
expect_refused
expect_contains "$err" 'perfetto'
run "$refrain" export --to csv "$trace" -o -
expect_refused
run "$refrain" export --to sqlite "$trace" -o no/such/folder/x.sql
expect_refused
run "$refrain" export --to sqlite "$trace" --layer nonsense -o x.sql
expect_refused
run "$refrain" export --to sqlite no.rfn -o x.sql
expect_refused
expect_no_file x.sql

# And back: the tables are a trace again, which has the same calls; ranks come first now, and long
# lists may print as other runs of the same numbers.
for trace in "$golden/v2.rfn" "$golden/v9.rfn" "$golden/v10.rfn"; do
  rm -rf tables back.rfn
  "$refrain" export --to csv "$trace" -o tables -q 2>/dev/null
  run "$refrain" import --from csv tables -o back.rfn
  expect_code 0
  run "$refrain" dump --expand --no-times back.rfn
  expect_code 0
  grep -E '^ +[A-Za-z_0-9]+\(' "$out" | grep -v '^ *readlist' | sort >back.txt || true
  run "$refrain" dump --expand --no-times "$trace"
  grep -E '^ +[A-Za-z_0-9]+\(' "$out" | grep -v '^ *readlist' | sort >there.txt || true
  expect_same there.txt back.txt
done

# Calls that other calls caused begin no earlier than the first of these.
"$refrain" import -q --from dxt "$source_tree/tests/data/exchange/dxt.txt" -o dxt.rfn 2>/dev/null
run "$refrain" export --to perfetto dxt.rfn -o timeline.json
expect_code 0
python3 - <<'PYTHON'
import json
spans = {}
for e in json.load(open("timeline.json"))["traceEvents"]:
    if e["ph"] != "X": continue
    first, last = spans.get((e["pid"], e["cat"]), (e["ts"], 0))
    spans[e["pid"], e["cat"]] = min(first, e["ts"]), max(last, e["ts"] + e["dur"])
assert len(spans) == 8, spans
for rank in range(4):
    outer, inner = spans[rank, "mpiio"], spans[rank, "posix"]
    assert outer[0] <= inner[0] and inner[1] <= outer[1] + 0.002, (rank, outer, inner)
PYTHON

# What a trace and Darshan both count.
cat >calls.1 <<'LINES'
1700000010.000001 openat(AT_FDCWD</data>, "a", O_RDWR|O_CREAT, 0644) = 3</data/a> <0.000010>
1700000010.000101 write(3</data/a>, "x"..., 100) = 100 <0.000010>
1700000010.000201 fsync(3</data/a>) = 0 <0.001000>
1700000010.002201 fdatasync(3</data/a>) = 0 <0.000010>
1700000010.002301 fstat(3</data/a>, {st_mode=S_IFREG|0644, st_size=100, ...}) = 0 <0.000010>
1700000010.002401 newfstatat(AT_FDCWD</data>, "a", {st_mode=S_IFREG|0644, st_size=100, ...}, 0) = 0 <0.000010>
1700000010.002501 newfstatat(AT_FDCWD</data>, "none", 0x7ffd, 0) = -1 ENOENT (No such file or directory) <0.000010>
1700000010.002601 close(3</data/a>) = 0 <0.000010>
LINES
cat >mpi.csv <<'CSV'
rank,function,arguments,kinds,result
0,MPI_File_open,"""MPI_COMM_SELF"", ""f"", ""MPI_MODE_RDWR"", ""MPI_INFO_NULL""",name text name name > slot:fh,fh0
0,MPI_File_sync,fh0,slot:fh,
0,MPI_File_sync,fh0,slot:fh,
0,MPI_File_close,fh0,slot:fh,
CSV
"$refrain" import -q --from strace calls.1 -o calls.rfn 2>/dev/null
"$refrain" import -q --from csv mpi.csv -o mpi.rfn 2>/dev/null
for trace in calls mpi; do
  run "$refrain" export --to darshan-parser "$trace.rfn" -o "$trace.darshan"
  expect_code 0
done
counter() { awk -v name="$2" -F '\t' '$4 == name { print $5 " " $6 }' "$1.darshan"; }
expect_equal "$(counter calls POSIX_FSYNCS)" '1 /data/a'
expect_equal "$(counter calls POSIX_FDSYNCS)" '1 /data/a'
expect_equal "$(counter calls POSIX_STATS)" '2 /data/a'
expect_equal "$(counter calls POSIX_MMAPS)" '0 /data/a'
expect_equal "$(counter calls POSIX_F_WRITE_TIME)" '0.001020 /data/a'
expect_matches <(counter mpi MPIIO_SYNCS) '^2 '
