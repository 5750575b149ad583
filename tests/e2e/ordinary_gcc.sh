# gcc: a driver that starts compiler, assembler and linker; its result is compared byte for byte.
source "$(dirname "$0")/lib.sh"
prepare() {
  cat >hello.c <<'C'
#include <stdio.h>
int main(void) { return printf("hello\n") < 0; }
C
  echo 'int main(void) { return missing; }' >broken.c
}
expect_transparent gcc -O2 -c hello.c -o hello.o
expect_transparent gcc -O2 hello.c -o hello
expect_transparent gcc -c broken.c
