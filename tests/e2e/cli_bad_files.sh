# Whatever a file holds, reading it ends in one line and exit code 2, or in a trace; and nothing is destroyed.
source "$(dirname "$0")/lib.sh"
whole=$golden/v1.rfn
size=$(stat -c %s "$whole")

for command in info dump; do
  run "$refrain" "$command" "$whole"
  expect_code 0
  expect_empty "$err"
  cp "$out" "$command.good"
done

refused() {
  for command in info dump; do
    run "$refrain" "$command" "$1"
    expect_refused
    expect_contains "$err" "$1"
  done
}

refused missing.rfn
refused "$work"
: >empty.rfn
refused empty.rfn
echo 'This is a letter, not a trace.' >letter.rfn
refused letter.rfn
head -c 100000 /dev/urandom >noise.rfn
refused noise.rfn
cat "$whole" "$whole" >twice.rfn
refused twice.rfn

for ((i = 0; i < 40; ++i)); do
  head -c $((size * i / 40)) "$whole" >truncated.rfn
  refused truncated.rfn
done
head -c $((size - 1)) "$whole" >truncated.rfn
refused truncated.rfn

# Every single flipped bit is found by a checksum, a bound or the grammar.
python3 - "$whole" <<'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
for i in range(60):
    at = len(data) * i // 60
    damaged = bytearray(data)
    damaged[at] ^= 1 << (i % 8)
    open(f"flipped{i}.rfn", "wb").write(damaged)
PYTHON
for ((i = 0; i < 60; ++i)); do refused flipped$i.rfn; done

# Merging what isn't there leaves an existing result alone.
echo precious >kept.rfn
run "$refrain" merge no-such-folder -o kept.rfn
expect_refused
mkdir empty.parts
run "$refrain" merge empty.parts -o kept.rfn
expect_refused
mkdir bad.parts
cp noise.rfn bad.parts/1.part
run "$refrain" merge bad.parts -o kept.rfn
expect_code 2
expect_equal "$(cat kept.rfn)" precious
