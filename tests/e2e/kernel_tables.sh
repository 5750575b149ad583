# Integers without a rule, too many for a program that a person reads: they stand in a file beside it, which the kernel
# checks before it does anything, and finds wherever it is run from.
source "$(dirname "$0")/lib.sh"
need make cc

# kernel_of TRACE FOLDER  Sets $kernel, the program.
kernel_of() {
  run "$refrain" generate -q "$1" -o "$2"
  expect_code 0
  run make -s -C "$2" CFLAGS="-O1 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  kernel=$PWD/$(ls "$2"/*.c)
  kernel=${kernel%.c}
}

# laws COMMAND...  Sets $kernel; the program is short.
laws() {
  rm -rf app app.rfn again.rfn kernel again run
  mkdir app
  (cd app && "$refrain" record -q -o ../app.rfn -- "$@" </dev/null) 2>&1 | cat
  kernel_of app.rfn kernel
  run "$refrain" record -q -o again.rfn -- "${@:1:$#-2}" "$kernel" --root run --prepare </dev/null
  expect_code 0
  run "$refrain" diff --root run app.rfn again.rfn
  expect_code 0
  [ "$(stat -c %s "$kernel.c")" -lt 50000 ] || fail "the program has $(stat -c %s "$kernel.c") bytes"
  expect_contains kernel/README.md "$(basename "$kernel").tables"
  expect_equal "$(find kernel -name '*.tmp*')" ''
}

if command -v mpirun >/dev/null && [ -x "$programs/scattered" ]; then
  laws mpirun -n 3 "$programs/scattered" 6000
  grep -q 'list_stored(' "$kernel.c" || fail "the lists stand in the program"
  "$refrain" generate -q again.rfn -o again
  expect_same "$kernel.c" again/scattered.c
  cmp "$kernel.tables" again/scattered.tables
  mv "$kernel.tables" away
  run mpirun -n 3 "$kernel" --root other
  expect_code 2
  expect_equal "$(grep -c 'scattered.tables: missing; it belongs beside the program' "$err")" 1
  [ ! -e other ] || fail "a kernel without its tables began"
fi

laws "$programs/irregular" 60000
(mkdir elsewhere && cd elsewhere && "$kernel" --root there --prepare >/dev/null)
[ -s elsewhere/there/data ] || fail "nothing was written"

# Whatever the file is, it is refused before anything is done.
refused() {
  run "$kernel" --root other
  expect_code 2
  expect_empty "$out"
  expect_equal "$(wc -l <"$err")" 1
  expect_contains "$err" "irregular: $kernel.tables: $1"
  [ ! -e other ] || fail "a kernel began with a wrong file of tables"
}
cp "$kernel.tables" whole
damage() { # damage OFFSET
  cp whole "$kernel.tables"
  printf '\7' | dd of="$kernel.tables" bs=1 seek="$1" conv=notrunc status=none
}
rm "$kernel.tables"
refused 'missing; it belongs beside the program'
head -c 1000 whole >"$kernel.tables"
refused 'this is not the file of tables that was made together with this program'
damage 0
refused 'this is no file of tables'
damage 9
refused 'this file of tables has a version that this program'
damage 25
refused 'this is not the file of tables that was made together with this program'
damage 3000
refused 'this file of tables is damaged: its checksum is wrong'
cp whole "$kernel.tables"
run "$kernel" --help
expect_code 0

# Fixed and static executables find it, too.
for option in -no-pie -static; do
  rm "$kernel"
  make -s -C kernel CFLAGS="-O1 $option" 2>/dev/null || continue
  run "$kernel" --root "fixed$option" --prepare
  expect_code 0
done

# An older kernel stays whole where a new one can't be written.
cp -r kernel before
run bash -c 'ulimit -f 100; trap "" XFSZ; exec "$0" generate -q "$1" -o kernel' "$refrain" app.rfn
[ "$code" -ne 0 ] || fail "a kernel was written beyond the limit"
diff -r kernel before || fail "a kernel that could not be written left something"
