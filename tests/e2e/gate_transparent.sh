# What programs see under the gate is what they see without it: output, exit code, files, whatever they do with
# descriptors, streams, signals, jumps, threads, children and restricted system calls.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_gate.sh"
start_coordinator

# seen PREFIX...  Runs $program with its arguments in a fresh folder and keeps what can be seen of it.
seen() {
  local form=$1
  shift
  rm -rf "$base/$form"
  mkdir "$base/$form"
  cd "$base/$form"
  ! declare -F prepare >/dev/null || prepare
  run timeout -s KILL 120 "$@" </dev/null
  echo "$code" >"$base/$form.code"
  cp "$out" "$base/$form.out"
  cp "$err" "$base/$form.err"
  cd "$work"
}
compare() {
  seen bare "$@"
  seen gated "$refrain" run --insecure --coordinator "$address" --gate-bytes 0 -- "$@"
  expect_same "$base/bare.code" "$base/gated.code"
  expect_same "$base/bare.out" "$base/gated.out"
  expect_same "$base/bare.err" "$base/gated.err"
  diff -r --no-dereference "$base/bare" "$base/gated" >&2 || fail "files differ"
}

for program in every_posix every_stdio descriptors children signals interrupted thrown many_threads thread_files \
  iostreams vfork_first confined small_stack fortran_io; do
  [ ! -e "$programs/$program" ] || compare "$programs/$program"
done
prepare() { seq 100000 >numbers; }
compare sort -R --random-source=/dev/zero -o sorted numbers
compare tar -cf all.tar --mtime=@0 numbers
compare bash -c 'cat numbers | head -n 5; cp numbers copy; exec 3>log; echo one >&3; exec 3>&-; exit 3'
