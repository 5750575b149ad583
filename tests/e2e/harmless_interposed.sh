# The application comes first: programs that interpose I/O functions themselves, and other preloaded libraries.
source "$(dirname "$0")/lib.sh"

expect_transparent "$programs/own_write"
expect_contains "$base/traced/out" 'SOME TEXT'
expect_calls 10 'write\(fd0, data, 10\) -> 10'

# Another library between the program and the C library: before ours or behind it, both do their work.
cat >"$base/other.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int calls;
ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  static ssize_t (*next)(int, const void*, size_t, off_t);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "pwrite");
  ++calls;
  return next(fd, data, size, offset);
}
__attribute__((destructor)) static void report(void) {
  if (calls > 0) dprintf(1, "other library saw %d calls\n", calls);
}
END
gcc -shared -fPIC -o "$base/other.so" "$base/other.c" -ldl 2>"$err" || fail "can't build a library"
export LD_PRELOAD=$base/other.so
expect_transparent "$programs/sudden_end" return 100
expect_contains "$base/traced.stdout" 'other library saw 100 calls'
expect_calls 100 'pwrite\(fd0, '
unset LD_PRELOAD
# A program in between that sets a preload of its own in front of ours.
expect_transparent bash -c 'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"' "$base/other.so" "$programs/sudden_end" return 50
expect_contains "$base/traced.stdout" 'other library saw 50 calls'
expect_calls 50 'pwrite\(fd0, '
