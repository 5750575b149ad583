# `refrain import` of what other tools wrote (tests/data/exchange): traces like any other, with notes on what their
# source lacks; bad lines are named.
source "$(dirname "$0")/lib.sh"
data=$source_tree/tests/data/exchange

run "$refrain" import --help
expect_code 0
for format in dxt recorder strace csv; do expect_contains "$out" "$format"; done

# calls TRACE  Its calls, one per line.
calls() { "$refrain" dump --expand --no-times "$1" | sed -nE 's/^ +([A-Za-z_0-9]+\(.*)/\1/p'; }

# Darshan: four ranks, merged into one tree of loops, with the system calls below MPI-IO in their own stream.
run "$refrain" import --from dxt "$data/dxt.txt" -o dxt.rfn
expect_code 0
expect_contains "$err" 'opens and closes are made up'
run "$refrain" dump --no-times --layer-streams dxt.rfn
expect_contains "$out" 'ranks 0..3'
expect_contains "$out" 'loop'
expect_contains "$out" 'layer posix'
expect_equal "$(calls dxt.rfn | grep -c '^MPI_File_write_at')" 24
expect_equal "$(calls dxt.rfn | grep -c '^pwrite')" 48

# Recorder: what MPI-IO and the program called, and the system calls below.
run "$refrain" import --from recorder "$data"/recorder/*.txt -o recorder.rfn
expect_code 0
expect_contains "$err" 'keeps no results'
expect_contains "$err" 'left out: '
run "$refrain" dump --no-times --layer-streams recorder.rfn
expect_contains "$out" 'MPI_File_open(MPI_COMM_WORLD, "/data/shared", MPI_MODE_CREATE|MPI_MODE_RDWR, MPI_INFO_NULL) -> fh0'
expect_contains "$out" 'open("/data/own.{rank}", O_RDWR|O_CREAT|O_TRUNC, 0644) -> fd0'
expect_contains "$out" 'layer posix'
expect_equal "$(calls recorder.rfn | grep -c '^MPI_File_write_at')" 24

# strace: processes of a shell, without what the loader reads.
run "$refrain" import --from strace "$data"/strace/calls.* -o strace.rfn
expect_code 0
expect_contains "$err" 'system calls only'
calls strace.rfn >strace.txt
expect_contains strace.txt 'openat(AT_FDCWD, "in.bin", O_RDONLY) -> fd0'
expect_equal "$(grep -c '^read(fd1, data, 1000) -> 1000' strace.txt)" 5
expect_contains strace.txt 'read(fd1, data, 1000) -> 500'
expect_contains strace.txt 'openat(AT_FDCWD, "log.bin", O_WRONLY|O_CREAT|O_APPEND, 0666) -> fd0'
expect_lacks strace.txt '/lib'
run "$refrain" import --from strace --as-ranks "$data"/strace/calls.10[12] -o ranks.rfn
expect_code 0
run "$refrain" info --json ranks.rfn
expect_contains "$out" '"nprocs": 2'

# A table of one's own needs a few columns only.
cat >mine.csv <<'CSV'
rank,function,arguments,kinds,result
0,open,"""a1"", ""O_WRONLY|O_CREAT"", ""0644""",text name name > slot:fd,fd0
0,pwrite,"fd0, data, 10, 0",slot:fd data int:size int:offset > int:written,10
1,open,"""a2"", ""O_WRONLY|O_CREAT"", ""0644""",text name name > slot:fd,fd0
1,pwrite,"fd0, data, 10, 10",slot:fd data int:size int:offset > int:written,10
CSV
run "$refrain" import --from csv mine.csv -o mine.rfn
expect_code 0
run "$refrain" dump --no-times mine.rfn
expect_contains "$out" 'pwrite(fd0, data, 10, rank*10) -> 10'

# Bad lines: one message with file and line, and no trace.
bad() {
  run "$refrain" import --from "$1" "$2" -o bad.rfn
  expect_refused
  expect_matches "$err" "$3"
  expect_no_file bad.rfn
}
first=$(grep -m 1 -n '^ X_POSIX' "$data/dxt.txt" | cut -d: -f1)
sed "${first}s/write/wrote/" "$data/dxt.txt" >bad_dxt.txt
bad dxt bad_dxt.txt "^refrain: bad_dxt.txt:$first: a transfer that neither reads nor writes$"
sed "${first}s/  0[.]0[0-9]*/  later/" "$data/dxt.txt" >bad_dxt.txt
bad dxt bad_dxt.txt "^refrain: bad_dxt.txt:$first: bad time$"
bad dxt /dev/null 'no transfers'
printf '1.0 close(3</a>) = 0\n1.0 open(\n' >calls.7
bad strace calls.7 '^refrain: calls.7:2: a call without an end$'
printf '0.1 0.2 open 0 0 ( /a 0 )\n0.3 x read 0 0 ( /a 0 7 )\n' >0.txt
bad recorder 0.txt '^refrain: 0.txt:2: bad time$'
printf '0.1 0.2 pread 0 0 ( /a 0x1 9 )\n' >1.txt
bad recorder 1.txt '^refrain: 1.txt:1: pread has too few arguments$'
bad recorder mine.csv 'not that of a rank'
sed '3s/int:size/int:weight/' mine.csv >bad.csv
bad csv bad.csv "^refrain: bad.csv:3: 'int:weight' is no kind of operand$"
printf 'rank,function\n' >bad.csv
bad csv bad.csv '^refrain: bad.csv:1: there is no column arguments$'
bad dxt missing.txt '^refrain: missing.txt: '
bad nonsense mine.csv 'dxt, recorder, strace, csv'
