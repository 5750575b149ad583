# Programs that other programs start, in whatever environment: those that can be recorded are, those that can't run as
# ever, and the trace says that something is missing.
source "$(dirname "$0")/lib.sh"
prepare() { printf 'some text\n' >input; }
copies() { "$refrain" dump --expand --no-times "$base/traced.rfn" | grep -cE '^ +open(at)?\(.*"input", O_RDONLY' || true; }
complete() { info 'trace["complete"]'; }
note() { info '" ".join(trace["notes"])' >"$base/note"; expect_contains "$base/note" "$1"; }
cp=$(command -v cp)

# Other libraries to preload: ours are loaded besides.
for how in "env LD_PRELOAD=libm.so.6 $cp input copy" "sh -c 'LD_PRELOAD=libm.so.6 $cp input copy'" \
  "sh -c 'export LD_PRELOAD=libm.so.6; $cp input copy; $cp input other'" \
  "python3 -c 'import os; os.waitpid(os.posix_spawn(\"$cp\", [\"cp\", \"input\", \"copy\"], dict(os.environ, LD_PRELOAD=\"libm.so.6\")), 0)'"; do
  eval "expect_transparent $how"
  [ "$(copies)" -gt 0 ] || fail "not recorded: $how"
done

# An environment made anew stays so, and so does one without libraries to preload.
for how in "env -i $cp input copy" "env -u LD_PRELOAD $cp input copy" "sh -c 'LD_PRELOAD= $cp input copy'" \
  "python3 -c 'import os; os.waitpid(os.posix_spawn(\"$cp\", [\"cp\", \"input\", \"copy\"], {}), 0)'" \
  "python3 -c 'import os; os.environ.pop(\"LD_PRELOAD\", None); os.system(\"$cp input copy\")'"; do
  eval "run_both $how"
  expect_equal "$code $(copies) $(complete)" "0 0 False"
  note 'calls are missing: 1 program was started without the recorder, in an environment made anew'
done
run_both env -i env
expect_empty "$base/traced.stdout"

# The C library of another world, whose dynamic linker would give up: not asked to load ours.
cat >copy.c <<'END'
#include <stdio.h>
int main(void) {
  FILE* from = fopen("input", "r");
  FILE* to = fopen("copy", "w");
  for (int c; (c = getc(from)) != EOF;) putc(c, to);
  fclose(from);
  return fclose(to) + 7;
}
END
need musl-gcc
musl-gcc -o "$base/foreign" copy.c
prepare_box
run "$refrain" record -o "$base/traced.rfn" -- "$base/foreign"
expect_code 7
expect_lines "$err" 1
expect_contains "$err" "nothing was recorded: $base/foreign was built for another C library than this recorder"
expect_file copy
run_both sh -c "$base/foreign; echo \$?"
expect_code 0
expect_equal "$(cat "$base/traced.stdout") $(complete)" '7 False'
note "calls are missing: 1 program was started without the recorder, which can't be loaded there"

# Sanitizers whose runtime must be the first library of all. Looking for leaks takes seconds each time: once is enough.
export ASAN_OPTIONS=detect_leaks=0
for sanitizer in address thread leak undefined; do
  gcc -fsanitize=$sanitizer -g -o "$base/sanitized" copy.c
  for how in "$base/sanitized" "sh -c '$base/sanitized'"; do
    case "$sanitizer $how" in leak*sh*) continue ;; esac
    prepare_box
    eval "run $how"
    [ "$code" -eq 7 ] || { echo "not tested: -fsanitize=$sanitizer does not work here"; continue; }
    eval "run_both $how"
    expect_code 7
    expect_sound "$base/traced.rfn"
    expect_calls 1 'fopen\("copy", w\)'
  done
done
