# Stores into mapped files are events, by pages, and kernels and replays make the same pages dirty: a recording of them
# has equal events, and the files hold data at the same places.
source "$(dirname "$0")/lib.sh"

program=$programs/mapped_stores
page=$(getconf PAGESIZE)
by_page=1  # whether the system tells which pages were stored into

# pages FIRST COUNT MAP  The event of these pages.
pages() { echo "stored(map${3:-0}, $(($1 * page)), $(($2 * page))) -> $(($2 * page))"; }
# has_in_order PATTERN...  The expanded trace in $out has these calls, in this order.
has_in_order() {
  local rest=$base/rest call
  cp "$out" "$rest"
  for call in "$@"; do
    grep -qF -- "  $call" "$rest" || fail "expected '$call' here"
    sed -i "1,$(grep -m 1 -nF -- "  $call" "$rest" | cut -d: -f1)d" "$rest"
  done
}
# recorded CASE...  Records the program and leaves the expanded trace in $out.
recorded() {
  prepare_box
  run "$refrain" record -q -o "$base/traced.rfn" -- "$program" "$@"
  expect_code 0
  keep_box traced
  expect_sound "$base/traced.rfn"
}
# data_of FOLDER  Which pages of its files hold data.
data_of() {
  python3 - "$1" "$page" <<'END'
import os, sys
folder, page = sys.argv[1], int(sys.argv[2])
for name in sorted(os.listdir(folder)):
    fd = os.open(os.path.join(folder, name), os.O_RDONLY)
    os.fsync(fd)
    size, at, parts = os.fstat(fd).st_size, 0, []
    while at < size:
        try:
            at = os.lseek(fd, at, os.SEEK_DATA)
        except OSError:
            break
        end = os.lseek(fd, at, os.SEEK_HOLE)
        parts.append((at // page, end // page))
        at = end
    print(name, size, parts)
    os.close(fd)
END
}
# repeated  Kernel and replay of the trace, recorded, give the trace.
repeated() {
  rm -rf "$base/kernel" "$base/k.root" "$base/r.root" "$base/again.rfn"
  cp "$base/traced.rfn" "$work/mapped.rfn"
  run "$refrain" generate "$work/mapped.rfn" -o "$base/kernel"
  expect_code 0
  run make -C "$base/kernel" CFLAGS=-O0
  expect_code 0
  run "$refrain" record -q -o "$base/again.rfn" -- "$base/kernel/mapped_stores" --prepare --root "$base/k.root"
  expect_code 0
  run "$refrain" diff --root "$base/k.root" "$base/traced.rfn" "$base/again.rfn"
  expect_code 0
  rm -f "$base/again.rfn"
  run "$refrain" record -q -o "$base/again.rfn" -- "$refrain" replay --prepare --root "$base/r.root" "$base/traced.rfn"
  expect_code 0
  run "$refrain" diff --root "$base/r.root" "$base/traced.rfn" "$base/again.rfn"
  expect_code 0
}

# Where the system doesn't tell, the event says so.
recorded pattern
grep -q 'stored_somewhere(' "$out" && by_page=0
if [ "$by_page" = 0 ]; then
  has_in_order "stored_somewhere(map0, 0, $((64 * page)))" msync "stored_somewhere(map0, 0, $((64 * page)))" munmap
  repeated
  echo "skipped: this system doesn't tell which pages are stored into"
  exit 77
fi

has_in_order "$(pages 0 1)" "$(pages 4 1)" "$(pages 60 1)" msync "$(pages 5 4)" munmap
expect_equal "$(grep -c 'stored(' "$out")" 17
run "$refrain" dump --no-times "$base/traced.rfn"
expect_contains "$out" "stored(map0, $((4 * page))*i, $page) -> $page"
cp "$out" "$base/first"
recorded pattern
run "$refrain" dump --no-times "$base/traced.rfn"
expect_same "$base/first" "$out"
repeated
expect_contains "$base/kernel/mapped_stores.c" "stored_pages(within(map0, $((4 * page))*i, "

# Every case changes nothing for the program, and is repeated as it was.
for name in steps unseen sizes parts cut_off synchronized read_into huge unwatched at_exit quick_exit; do
  prepare() { :; }
  expect_transparent "$program" "$name"
  repeated
done

recorded steps
expect_equal "$(grep -c 'stored(' "$out")" 40
run "$refrain" dump --no-times "$base/traced.rfn"
expect_contains "$out" "stored(map0, $page*j, $page) -> $page"

recorded unseen
expect_lacks "$out" stored

recorded sizes
has_in_order "$(pages 3 2)" munmap "$(pages 1 2)" munmap "$(pages 15 1)" munmap

recorded parts
has_in_order "$(pages 15 1)" "munmap(map0, $((12 * page))" "$(pages 9 2)" "$(pages 1 1)" "$(pages 3 1)" "$(pages 6 1)" \
  "munmap(map0, 0, $((4 * page)))" "$(pages 2 1)"
expect_equal "$(grep -c 'stored(' "$out")" 6

recorded cut_off
has_in_order "$(pages 2 1)" munmap
expect_equal "$(grep -c 'stored(' "$out")" 1

recorded synchronized
has_in_order "$(pages 0 2)" fsync "$(pages 1 1)" fdatasync "$(pages 6 1)" munmap

recorded read_into
has_in_order pread "$(pages 4 2)" munmap

# Too large to be watched by page: all that the file has may have been stored into.
recorded huge
has_in_order "stored_somewhere(map0, $((4 * page)), $((2 * page)))" msync "stored_somewhere(map0, 0, $((16 * page)))" munmap
run "$refrain" info "$base/traced.rfn"
expect_contains "$out" "stores into mapped files"

recorded unwatched
has_in_order "stored_somewhere(map0, 0, $((8 * page)))" munmap

# At the end, in the order of mappings.
recorded at_exit
has_in_order "$(pages 2 2)" "$(pages 7 1 1)"

recorded quick_exit
has_in_order "$(pages 3 2)"

# Data is where the program's was.
for name in pattern sizes at_exit quick_exit; do
  recorded "$name"
  repeated
  data_of "$base/traced" >"$base/of_program"
  data_of "$base/k.root" >"$base/of_kernel"
  data_of "$base/r.root" >"$base/of_replay"
  expect_same "$base/of_program" "$base/of_kernel"
  expect_same "$base/of_program" "$base/of_replay"
done
