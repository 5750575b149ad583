# Programs that are several processes, as a whole: the kernel of all of them, recorded, gives the trace that it was made
# of, with who started whom and who waited for whom, and leaves files of the same sizes; and so does the replay.
source "$(dirname "$0")/lib.sh"
need make cc tar gzip sort

# make_inputs  What commands find in their folder.
make_inputs() {
  mkdir src project
  local i
  for i in 1 2 3; do seq "$((i * 1000))" >src/"$i.txt"; done
  seq 3000 | tac >numbers
  printf 'int part_%s(void) { return 1; }\n' a >project/a.c
  printf 'int part_%s(void) { return 2; }\n' b >project/b.c
  cat >project/Makefile <<'END'
all: whole
%.part: %.c
	tr a-z A-Z <$< >$@; sort $@ -o $@
whole: a.part b.part
	cat a.part b.part >$@; cp $@ whole.copy
END
}

# made FOLDER  The files that the command made, as they are in FOLDER: names and sizes.
made() { (cd "$base/app" && find . -type f -newer "$base/begun" | sort) | while read -r file; do stat -c "$file %s" "$1/$file"; done; }

# laws LEAST COMMAND...  LEAST: so many processes make calls at least. How many more a shell has is its affair.
laws() {
  local least=$1 processes name
  shift
  rm -rf "$base"/{app,kernel,run,again,replay,*.rfn}
  mkdir "$base/app"
  cd "$base/app"
  make_inputs
  touch -d '1 hour ago' -- */* numbers "$base/begun"
  run "$refrain" record -q -o "$base/app.rfn" -- "$@"
  cd "$work"
  run "$refrain" generate "$base/app.rfn" -o "$base/kernel"
  expect_code 0
  processes=$(sed -n 's/.* for \([0-9]*\) processes;.*/\1/p' "$err")
  [ "${processes:-0}" -ge "$least" ] || fail "expected $least processes or more"
  run make -s -C "$base/kernel" CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  name=$(sed -n 's/^\([a-z0-9_]*\): .*/\1/p' "$base/kernel/Makefile" | head -n 1)
  run timeout 60 "$refrain" record -q -o "$base/kernel.rfn" -- "$base/kernel/$name" --prepare --root "$base/run"
  expect_code 0
  expect_matches "$out" "^$name: $processes processes, "
  run "$refrain" diff --root "$base/run" "$base/app.rfn" "$base/kernel.rfn"
  expect_code 0
  made "$base/app" >"$base/app.files"
  made "$base/run" >"$base/run.files"
  expect_same "$base/app.files" "$base/run.files"
  # The recording of the kernel is as good as the trace.
  run "$refrain" generate -q "$base/kernel.rfn" -o "$base/again"
  expect_code 0
  run timeout 60 "$refrain" record -q -o "$base/replay.rfn" -- \
    "$refrain" replay --prepare --root "$base/replay" "$base/app.rfn"
  expect_code 0
  expect_matches "$out" "^$processes processes, "
  run "$refrain" diff --root "$base/replay" "$base/app.rfn" "$base/replay.rfn"
  expect_code 0
  made "$base/replay" >"$base/replay.files"
  expect_same "$base/app.files" "$base/replay.files"
}

# Pipelines: who reads from the pipe hears of the writer's beginning and of its end.
laws 3 sh -c 'tar c src | gzip >src.tar.gz; exit 0'
text=$("$refrain" dump --no-times "$base/app.rfn")
grep -q ': hears 0' <<<"$text" || fail "no link between tar and gzip"
laws 2 tar czf all.tar.gz src numbers
laws 2 sh -c 'sort <numbers >sorted && cp sorted copy'
# Temporary files of their own, and the pipe's end: nothing is written before all was read.
laws 3 sh -c 'cat numbers numbers | sort -S 64K --parallel=1 >sorted; true'
# A tree of processes three deep.
laws 9 make -s -C project
# The shell writes with its own hands too, before and after, and becomes another program in the end.
laws 3 sh -c 'echo begun >log; sort numbers >sorted; echo done >>log; exec cp sorted copy'

if [ -x "$programs/workers" ]; then
  laws 11 "$programs/workers"
  expect_equal "$(stat -c %s "$base/run/never_flushed")" 0
  expect_equal "$(stat -c %s "$base/replay/never_flushed")" 0
fi

# One of the processes alone, as before; and what can't be done with all of them.
mkdir "$base/last"
cd "$base/last"
seq 2000 >numbers
"$refrain" record -q -o app.rfn -- sh -c 'sort numbers >sorted; cat sorted numbers >both'
run "$refrain" generate --process 1 -o one app.rfn
expect_code 0
expect_contains "$err" 'for process 1 alone'
for option in '--repeat 2' '--layer posix'; do
  run "$refrain" replay $option --root there app.rfn
  expect_refused
  expect_contains "$err" 'several processes are replayed together once'
done
run "$refrain" generate --only data --above 10 -o part app.rfn
expect_code 2
expect_contains "$err" "they can't be repeated together: who started process"

# Where a process fails, nobody waits for it for ever.
"$refrain" generate -q -o kernel app.rfn
make -s -C kernel CFLAGS=-O0
run timeout 30 kernel/dash --root bare
expect_code 1
expect_contains "$err" 'run with --prepare'
run timeout 30 kernel/dash --prepare --repeat 2 --root twice
expect_code 1
expect_contains "$err" 'a tree of processes runs once'
run timeout 30 "$refrain" replay --root bare2 app.rfn
expect_code 1
run timeout 30 "$refrain" replay --prepare --root good --json app.rfn
expect_code 0
expect_equal "$(json "$out" 'data["processes"] >= 3 and data["failures"] == 0')" True
