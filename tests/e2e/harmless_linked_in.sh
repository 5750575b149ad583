# The recorder linked into a program gives the trace that preloading it gives: statically linked programs, and dynamic
# ones, where both would be there at once.
source "$(dirname "$0")/lib.sh"

mapfile -t flags < <("$refrain" link-flags)
have_static=yes
echo 'int main(void) { return 0; }' >empty.c
gcc -static -o empty empty.c 2>/dev/null || have_static=

# The trace of a command, call by call and without the program's name.
text_of() { "$refrain" dump --expand --no-times "$1" | sed '/^trace /d; s/^process [0-9]* "[^"]*"/process/' >"$2"; }

# same_linked_in SOURCE ARGUMENT...  The program built in the usual way is the measure for the others.
same_linked_in() {
  local source=$source_tree/tests/programs/$1 kind
  shift
  gcc -O1 -pthread -o "$base/program" "$source" 2>"$err" || fail "can't build $source"
  expect_transparent "$base/program" "$@"
  text_of "$base/traced.rfn" "$base/preloaded.text"
  for kind in dynamic ${have_static:+static}; do
    if [ $kind = static ] && gcc -O1 -pthread -static -o "$base/program" "$source" 2>"$err"; then
      # Streams of wide characters end static programs of glibc 2.41.
      local bare=0
      (prepare_box && "$base/program" "$@") </dev/null >"$out" 2>"$err" || bare=$?
      if [ "$bare" -eq 139 ]; then
        echo "not tested: $source crashes by itself if it is static"
        gcc -O1 -pthread -o "$base/program" "$source" "${flags[@]}" 2>"$err"
        continue
      fi
    fi
    # A static program warns about functions that need the shared C library.
    gcc -O1 -pthread ${have_static:+$([ $kind = static ] && echo -static)} -o "$base/program" "$source" "${flags[@]}" \
      2>"$err" || fail "can't link $source"
    run_both "$base/program" "$@"
    text_of "$base/traced.rfn" "$base/$kind.text"
    expect_same "$base/preloaded.text" "$base/$kind.text"
  done
}

same_linked_in witnessed.c
same_linked_in sudden_end.c return 1000
same_linked_in sudden_end.c kill 1000
same_linked_in children.c fork
same_linked_in children.c vfork_exec
same_linked_in every_stdio.c </dev/null
[ -n "$have_static" ] || echo "not tested: static programs (no static C library)"

# Without a recording around it, such a program just works.
prepare_box
run "$base/program"
expect_code 0
keep_box alone

# Kernels find in it what they tell the recorder: every such function of the library that is preloaded.
nm -D --defined-only "$build/lib/librefrain.so" | sed -n 's/.* T \(refrain_[a-z_]*\)$/\1/p' | sort >"$base/preloaded.functions"
nm -g --defined-only "$build/lib/librefrain_wrap.a" 2>/dev/null | sed -n 's/.* T \(refrain_[a-z_]*\)$/\1/p' | sort >"$base/linked.functions"
expect_contains "$base/preloaded.functions" refrain_replace
expect_same "$base/preloaded.functions" "$base/linked.functions"

# So a kernel that closes all descriptors keeps its own, and its recording has the calls of the trace.
if [ -n "$have_static" ]; then
  run "$refrain" record -q -o trace.rfn -- "$programs/descriptors" close_range
  expect_code 0
  run "$refrain" generate -q trace.rfn -o kernel
  expect_code 0
  gcc -std=c11 -static -o kernel/static kernel/descriptors.c "${flags[@]}" 2>"$err" || fail "can't link the kernel"
  run "$refrain" record -q -o static.rfn -- kernel/static --root again --prepare
  expect_code 0
  run "$refrain" diff --root again trace.rfn static.rfn
  expect_code 0
fi
