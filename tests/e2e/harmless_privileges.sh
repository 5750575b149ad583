# The application comes first: programs that the recorder can't get into simply work, and the command says why nothing
# was recorded.
source "$(dirname "$0")/lib.sh"
prepare() { printf 'some text\n' >input; }

# A cleared environment: not recorded, not disturbed; see host_programs.sh for what is said about it.
run_both env -i "$(command -v cp)" input copy
run_both sh -c "cp input first; env -i $(command -v cp) first second; cp second third"
expect_calls 2 '^process [0-9]+ ".*/cp"'

# A set-user-id program, run by somebody else; the dynamic linker drops the preload by itself.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$base"
  cp "$(command -v cat)" "$base/setuid-cat"
  chmod u+s "$base/setuid-cat"
  nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
  mkdir "$base/theirs"
  printf 'secret\n' >"$base/theirs/secret"
  chmod 600 "$base/theirs/secret"
  chmod 777 "$base/theirs"
  # The build folder may be private; they get a copy of the installed tree.
  mkdir -p "$base/tree/bin" "$base/tree/lib"
  cp "$refrain" "$base/tree/bin/"
  cp "$(dirname "$refrain")/../lib/librefrain.so" "$base/tree/lib/"
  chmod -R a+rX "$base/tree"
  theirs=$base/tree/bin/refrain
  cd "$base/theirs"
  if [ "$(nobody "$base/setuid-cat" secret 2>/dev/null)" = secret ] && nobody "$theirs" --version >/dev/null 2>&1; then
    run nobody "$theirs" record -o cat.rfn -- "$base/setuid-cat" secret
    expect_code 0
    expect_equal "$(cat "$out")" secret
    expect_lines "$err" 1
    expect_contains "$err" 'nothing was recorded'
    expect_contains "$err" 'set-user-id'
    expect_no_file cat.rfn
    expect_no_file cat.rfn.parts
    run nobody "$theirs" record -q -o sh.rfn -- sh -c "$base/setuid-cat secret >copy; exit 3"
    expect_code 3
    expect_empty "$err"
    expect_file sh.rfn
  else
    echo "not tested: set-user-id programs (the file system forbids them)"
  fi
  cd "$work"
fi

# A statically linked program: it runs, its exit code counts, and the reason is given in one line.
cat >static.c <<'END'
#include <stdio.h>
int main(void) {
  FILE* f = fopen("made", "w");
  fputs("text\n", f);
  fclose(f);
  puts("static");
  return 11;
}
END
if gcc -static -o static static.c 2>/dev/null; then
  run "$refrain" record -o static.rfn -- ./static
  expect_code 11
  expect_equal "$(cat "$out")" static
  expect_lines "$err" 1
  expect_matches "$err" '^refrain: nothing was recorded: ./static is statically linked; see .*link-flags'
  expect_file made
  expect_no_file static.rfn
  expect_no_file static.rfn.parts
else
  echo "not tested: static programs (no static C library)"
fi
