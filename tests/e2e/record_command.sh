# `refrain record` as a command: its exit codes, its messages, what it leaves behind and what it refuses.
source "$(dirname "$0")/lib.sh"

run "$refrain" record -- sh -c 'echo hello >file; exit 7'
expect_code 7
expect_lines "$err" 1
expect_matches "$err" '^refrain: wrote sh\.rfn: [0-9]+ process(es)?.*, [0-9,]+ calls?, [0-9.]+ K?B$'
expect_file sh.rfn
expect_no_file sh.rfn.parts

run "$refrain" record -q -o t.rfn -- true
expect_code 0
expect_empty "$err"
expect_empty "$out"

run "$refrain" record -q -o t.rfn -- sh -c 'kill -TERM $$'
expect_code 143
expect_file t.rfn

# An existing trace is replaced only by a finished one.
cp t.rfn before.rfn
run "$refrain" record -q -o t.rfn -- ./no-such-program
expect_code 127
expect_lines "$err" 1
expect_contains "$err" 'no-such-program'
expect_same before.rfn t.rfn
expect_no_file t.rfn.parts
echo text >plain.txt
run "$refrain" record -q -o t.rfn -- ./plain.txt
expect_code 126
expect_same before.rfn t.rfn

run "$refrain" record --layers posix,hdf6 -- true
expect_refused
# A layer is recorded, or refused where the recorder was built without it; then it is not said to be recorded, either.
run "$refrain" record -q -o all.rfn -- true
run "$refrain" info all.rfn
cp "$out" "$base/all"
for layer in posix stdio mpi mpiio hdf5; do
  run "$refrain" record -q -o one.rfn --layers $layer -- true
  if [ "$code" -eq 0 ]; then
    expect_matches "$base/all" "^layers .*\b$layer\b"
  else
    expect_refused
    expect_contains "$err" "its headers were missing when refrain was built"
    ! grep -qE "^layers .*\b$layer\b" "$base/all" || fail "$layer is said to be recorded"
  fi
done
run "$refrain" record -o no/such/folder/t.rfn -- touch never
expect_refused
expect_no_file never
mkdir folder.rfn
run "$refrain" record -o folder.rfn -- touch never
expect_refused
expect_no_file never

# A process that outlives the command is waited for by nobody, but not forgotten, though it has not called anything yet.
run "$refrain" record -o behind.rfn -- sh -c 'setsid python3 -S -c "import time; time.sleep(8); open(\"late\", \"w\").write(\"x\")" </dev/null >/dev/null 2>&1 & sleep 1'
expect_code 0
expect_matches "$err" '^refrain: 1 process is still running; when done: refrain merge .*behind.rfn.parts'
for _ in $(seq 300); do [ ! -s late ] || break; sleep 0.1; done
sleep 0.5
run "$refrain" merge behind.rfn.parts -o behind.rfn
expect_code 0
run "$refrain" dump behind.rfn
expect_contains "$out" 'late'
rm -rf behind.rfn*

# Parts that nobody merged are not overwritten.
run "$refrain" record -q --keep-parts -o kept.rfn -- cat plain.txt
expect_code 0
expect_file kept.rfn.parts
run "$refrain" record -q -o kept.rfn -- touch never
expect_refused
expect_no_file never
run "$refrain" merge kept.rfn.parts -o merged.rfn
expect_code 0
run "$refrain" dump kept.rfn
cp "$out" kept.txt
run "$refrain" dump merged.rfn
expect_same kept.txt "$out"

# Options of the command are not ours, with or without the dashes.
run "$refrain" record -q -o dashes.rfn cp -v plain.txt copy.txt
expect_code 0
expect_contains "$out" 'copy.txt'
run "$refrain" record -q -o dashes.rfn -- git --help
expect_code 0
expect_contains "$out" 'usage: git'

# Layers and filters.
run "$refrain" record -q -o l.rfn --layers posix -- "$examples/logger"
run "$refrain" dump --no-times l.rfn
expect_lacks "$out" 'fopen('
run "$refrain" record -q -o l.rfn --layers stdio -- "$examples/logger"
run "$refrain" dump --no-times l.rfn
expect_contains "$out" 'fopen('
run "$refrain" record -q -o l.rfn --exclude '*.index' -- "$examples/logger"
run "$refrain" dump --no-times l.rfn
expect_lacks "$out" 'service.index'

# A preload of the user's stays in place.
run env LD_PRELOAD=libdl.so.2 "$refrain" record -q -o p.rfn -- sh -c 'echo "$LD_PRELOAD"'
expect_contains "$out" 'librefrain.so'
expect_contains "$out" 'libdl.so.2'

# Closed standard streams stay closed for the command.
run bash -c '"$0" record -q -o c.rfn -- sh -c "ls /proc/self/fd >fds" <&- 2>&-' "$refrain"
expect_code 0
