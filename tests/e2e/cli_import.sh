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

# Recorder 3, of the same program: MPI itself is not traced unless asked for, so the barrier is missing.
run "$refrain" import --from recorder "$data"/recorder3/*.txt -o recorder3.rfn
expect_code 0
expect_contains "$err" 'left out: getcwd (4), umask (8)'
run "$refrain" dump --no-times --layer-streams recorder3.rfn
expect_contains "$out" 'layer posix'
program() { "$refrain" dump --no-times "$1" | sed -n '/^process/,$p' | grep -v MPI_Barrier; }
program recorder.rfn >recorder.txt
program recorder3.rfn >recorder3.txt
expect_same recorder.txt recorder3.txt

# Positions follow from the transfers; vectors are one buffer, because Recorder has only their sum.
cat >0.txt <<'LINES'
0.10 0.11 open 0 0 ( /a 66 420 )
0.12 0.13 write 0 0 ( /a %p 100 )
0.14 0.15 lseek 0 0 ( /a 0 1 )
0.16 0.17 pwrite 0 0 ( /a %p 50 900 )
0.18 0.19 lseek 0 0 ( /a -10 2 )
0.20 0.21 writev 0 0 ( /a 64 2 )
0.22 0.23 readv 0 0 ( /a 32 4 )
0.24 0.25 close 0 0 ( /a )
0.26 0.27 access 0 0 ( /a 4 )
0.28 0.29 truncate 0 0 ( /a 5 )
0.30 0.31 fopen 0 0 ( /s w )
0.32 0.33 fprintf 0 0 ( /s 13 )
0.34 0.35 fseek 0 0 ( /s 3 0 )
0.36 0.37 fflush 0 0 ( /s )
0.38 0.39 fclose 0 0 ( /s )
0.40 0.41 MPI_File_open 0 1 ( MPI_COMM_WORLD /m 9 %p 0-0 )
0.42 0.43 MPI_File_seek 0 1 ( 0-0 8 MPI_SEEK_SET )
0.44 0.45 MPI_File_write_shared 0 1 ( 0-0 %p 4 MPI_INT MPI_STATUS_IGNORE )
0.46 0.47 MPI_File_read_ordered 0 1 ( 0-0 %p 2 MPI_INT MPI_STATUS_IGNORE )
0.48 0.49 MPI_File_close 0 1 ( 0-0 )
LINES
run "$refrain" import --from recorder 0.txt -o positions.rfn
expect_code 0
expect_lacks "$err" 'left out'
calls positions.rfn >positions.txt
cat >expected.txt <<'CALLS'
open("/a", O_RDWR|O_CREAT, 0644) -> fd0
write(fd0, data, 100) -> 100
lseek(fd0, 0, SEEK_CUR) -> 100
pwrite(fd0, data, 50, 900) -> 50
lseek(fd0, -10, SEEK_END) -> 940
writev(fd0, [64]) -> 64
readv(fd0, [32]) -> 32
close(fd0)
access("/a", R_OK)
truncate("/a", 5)
fopen("/s", w) -> stream0
fprintf(stream0, data) -> 12
fseek(stream0, 3, SEEK_SET)
fflush(stream0)
fclose(stream0)
MPI_File_open(MPI_COMM_WORLD, "/m", MPI_MODE_CREATE|MPI_MODE_RDWR, MPI_INFO_NULL) -> fh0
MPI_File_seek(fh0, 8, MPI_SEEK_SET)
MPI_File_write_shared(fh0, data 16, 4, MPI_INT)
MPI_File_read_ordered(fh0, data 8, 2, MPI_INT)
MPI_File_close(fh0)
CALLS
expect_same expected.txt positions.txt
sed 's/.*MPI_File_seek.*/0.42 0.43 MPI_File_set_view 0 1 ( 0-0 0 MPI_INT type-1 %p %p )/' 0.txt >1.txt
run "$refrain" import --from recorder 0.txt 1.txt -o views.rfn
expect_code 0
expect_contains "$err" 'through views of MPI-IO'
expect_contains "$err" 'left out: MPI_File_set_view (1)'

# strace: processes of a shell, without what the loader reads.
run "$refrain" import --from strace "$data"/strace/calls.* -o strace.rfn
expect_code 0
expect_contains "$err" 'system calls only'
calls strace.rfn >strace.txt
expect_contains strace.txt 'openat(AT_FDCWD, "in.bin", O_RDONLY) -> fd0'
run "$refrain" info strace.rfn
expect_matches "$out" '^command +sh -c dd if=in.bin of=out.bin bs=1000 [.]{3}$'
expect_equal "$(grep -c '^read(fd1, data, 1000) -> 1000' strace.txt)" 5
expect_contains strace.txt 'read(fd1, data, 1000) -> 500'
expect_contains strace.txt 'openat(AT_FDCWD, "log.bin", O_WRONLY|O_CREAT|O_APPEND, 0666) -> fd0'
expect_lacks strace.txt '/lib'
run "$refrain" import --from strace --as-ranks "$data"/strace/calls.10[12] -o ranks.rfn
expect_code 0
run "$refrain" info --json ranks.rfn
expect_contains "$out" '"nprocs": 2'

# Copies inside the system count, and calls on files that can't be imported are named.
cat >copy.1 <<'LINES'
1700000010.000001 openat(AT_FDCWD</data>, "a", O_RDONLY) = 3</data/a> <0.000010>
1700000010.000101 openat(AT_FDCWD</data>, "b", O_WRONLY|O_CREAT|O_EXCL, 0644) = 4</data/b> <0.000010>
1700000010.000201 ioctl(4</data/b>, BTRFS_IOC_CLONE or FICLONE, 3</data/a>) = -1 EOPNOTSUPP (Operation not supported) <0.000010>
1700000010.000301 copy_file_range(3</data/a>, NULL, 4</data/b>, NULL, 9223372035781033984, 0) = 2621440 <0.000010>
1700000010.000401 copy_file_range(3</data/a>, [0], 4</data/b>, [5 => 105], 100, 0) = 100 <0.000010>
1700000010.000501 sendfile(1<pipe:[77]>, 3</data/a>, [0] => [4096], 4096) = 4096 <0.000010>
1700000010.000601 pwritev2(4</data/b>, [{iov_base="x"..., iov_len=10}, {iov_base="y"..., iov_len=6}], 2, 64, RWF_SYNC) = 16 <0.000010>
1700000010.000701 preadv2(3</data/a>, [{iov_base="x"..., iov_len=10}], 1, 0, 0) = 10 <0.000010>
1700000010.000801 renameat2(AT_FDCWD</data>, "b", AT_FDCWD</data>, "c", RENAME_NOREPLACE) = 0 <0.000010>
1700000010.000901 statx(AT_FDCWD</data>, "c", AT_STATX_SYNC_AS_STAT|AT_SYMLINK_NOFOLLOW, STATX_TYPE|STATX_SIZE, {stx_mask=STATX_ALL}) = 0 <0.000010>
1700000010.001001 faccessat(AT_FDCWD</data>, "c", R_OK) = 0 <0.000010>
1700000010.001101 linkat(AT_FDCWD</data>, "c", AT_FDCWD</data>, "d", 0) = 0 <0.000010>
1700000010.001201 openat2(AT_FDCWD</data>, "e", {flags=O_RDONLY, resolve=0}, 24) = 5</data/e> <0.000010>
1700000010.001301 getdents64(6</data>, [{d_ino=1}], 32768) = 48 <0.000010>
1700000010.001401 getdents64(6</data>, [], 32768) = 0 <0.000010>
1700000010.001501 fcntl(4</data/b>, F_GETFL) = 0x8001 (flags O_WRONLY) <0.000010>
1700000010.001601 close(4</data/b>) = 0 <0.000010>
LINES
run "$refrain" import --from strace copy.1 -o copy.rfn
expect_code 0
expect_contains "$err" 'left out: getdents64 (2), openat2 (1)'
calls copy.rfn >copy.txt
expect_contains copy.txt 'copy_file_range(fd0, NULL, fd1, NULL, 9223372035781033984, 0) -> 2621440'
expect_contains copy.txt 'copy_file_range(fd0, 0, fd1, 5, 100, 0) -> 100'
expect_contains copy.txt 'sendfile(other, fd0, 0, 4096) -> 4096'
expect_contains copy.txt 'pwritev2(fd1, [10, 6], 64, RWF_SYNC) -> 16'
expect_contains copy.txt 'preadv2(fd0, [10], 0, 0) -> 10'
expect_contains copy.txt 'renameat2(AT_FDCWD, "b", AT_FDCWD, "c", RENAME_NOREPLACE)'
expect_contains copy.txt 'statx(AT_FDCWD, "c", AT_SYMLINK_NOFOLLOW, 0x201, data)'
expect_contains copy.txt 'faccessat(AT_FDCWD, "c", R_OK, 0)'
expect_contains copy.txt 'linkat(AT_FDCWD, "c", AT_FDCWD, "d", 0)'

# When it happened is known to all of these sources, and what they don't know is not printed.
for trace in dxt recorder strace copy; do
  run "$refrain" info "$trace.rfn"
  expect_code 0
  expect_lacks "$out" 'by refrain'
  expect_lacks "$out" ' on  '
  expect_lacks "$out" '1970'
  expect_matches "$out" '^written +\|'
done
run "$refrain" info recorder.rfn
expect_matches "$out" '^source +imported from Recorder$'
run "$refrain" dump recorder.rfn
expect_contains "$out" '# imported from Recorder'
run "$refrain" info dxt.rfn
expect_matches "$out" '^source +imported from Darshan DXT, recorded [0-9]'

# Lines may end as on other systems.
mkdir crlf
sed 's/$/\r/' "$data/dxt.txt" >crlf/dxt.txt
for file in "$data"/recorder/*.txt; do sed 's/$/\r/' "$file" >"crlf/${file##*/}"; done
sed 's/$/\r/' copy.1 >crlf/copy.1
same_calls() { # FORMAT TRACE FILES...
  run "$refrain" import --from "$1" "${@:3}" -o crlf.rfn
  expect_code 0
  run "$refrain" diff "$2" crlf.rfn
  expect_code 0
}
same_calls dxt dxt.rfn crlf/dxt.txt
same_calls recorder recorder.rfn crlf/[0-9]*.txt
same_calls strace copy.rfn crlf/copy.1

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
run "$refrain" info mine.rfn
expect_lacks "$out" '|'
sed 's/$/\r/' mine.csv >crlf/mine.csv
same_calls csv mine.rfn crlf/mine.csv

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
"$refrain" export -q --to csv "$golden/v2.rfn" -o tables 2>/dev/null
damaged() { # SED MESSAGE: a line of calls.csv that nobody can have meant
  sed "$1" tables/calls.csv >bad.csv
  cmp -s bad.csv tables/calls.csv && fail "nothing damaged by $1"
  bad csv bad.csv "^refrain: bad.csv:[0-9]+: $2$"
}
damaged '5s/,posix,/,nonsense,/' "there is no layer 'nonsense'"
damaged '6s/^[0-9]*,/-3,/' 'column process is not one of 0 to 2147483647'
damaged '6s/^\([0-9]*\),[0-9]*,/\1,-2,/' 'column rank is not one of 0 to 1048575'
cp tables/ranks.csv good.csv
sed '2s/,exited,/,lost,/' good.csv >tables/ranks.csv
cmp -s good.csv tables/ranks.csv && fail 'nothing damaged'
bad csv tables 'ranks.csv:2: an ending is one of exited, early, replaced$'
# What a trace may hold stays, and is said.
sed '3s/pwrite/frobnicate/; 1s/rank/rank,layer/; 2,$s/^\([0-9]\),/\1,posix,/; 5s/fd0/fd99/' mine.csv >strange.csv
run "$refrain" import --from csv strange.csv -o strange.rfn
expect_code 0
expect_contains "$err" 'not called: frobnicate (1)'
expect_contains "$err" 'how many calls use them: fd99 (1)'
sed '3s/pwrite/frobnicate/' mine.csv >bad.csv
bad csv bad.csv "^refrain: bad.csv:3: function 'frobnicate' is not known, and no layer is given$"
printf 'rank,function\n' >bad.csv
bad csv bad.csv '^refrain: bad.csv:1: there is no column arguments$'
bad dxt missing.txt '^refrain: missing.txt: '
bad nonsense mine.csv 'dxt, recorder, strace, csv'
