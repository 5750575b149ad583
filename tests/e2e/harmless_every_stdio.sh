# The application comes first: functions of layer stdio, results and errors as ever, and all recorded.
source "$(dirname "$0")/lib.sh"

printf 'xyz' >"$base/input"
expect_transparent bash -c "exec '$programs/every_stdio' <'$base/input'"
cp "$out" "$base/text"
while read -r line; do expect_contains "$base/text" "  $line"; done <<'END'
fopen("text", w) -> stream0
setvbuf(stream0, data, _IOFBF, 65536) -> 0
fprintf(stream0, data) -> 18
fwrite(data 10, 2, 5, stream0) -> 5
fflush(stream0)
ftell(stream0) -> 41
fileno(stream0) -> fd0
fclose(stream0)
fopen("text", r) -> stream0
fgets(data 11, 100, stream0) -> 1
fscanf(stream0, data) -> 1
getdelim(data, 50, stream0)
fread(data 100, 1, 100, stream0) -> 100
fseeko(stream0, -20, SEEK_CUR)
fgets(data 0, 100, stream0) -> 0
rewind(stream0)
fread(data 20, 10, 2, stream0) -> 2
tmpfile() -> stream0
fdopen(fd0, w+) -> stream0
setlinebuf(stream0)
freopen("reopened", w, stream0) -> stream0
fopen("no/such/file", r) -> ENOENT
fputws(data, stream0)
fgetws(data, 100, stream0) -> 1
END
# With optimization the C library's headers turn some functions into others.
expect_matches "$base/text" '(getline\(data|getdelim\(data, 10), stream0\) -> 5$'
expect_matches "$base/text" '(getchar|fgetc)\(stream0\) -> 1$'
# The loop of a hundred lines, and the one before it.
expect_calls 101 'fprintf\(stream0, data\)'
# Streams that are no files, and what popen's child reads.
expect_lacks "$base/text" '/dev/full'
expect_matches "$base/text" '^process [0-9]+ ".*/cat" exited'
