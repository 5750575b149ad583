# The application comes first, where address space is limited, too: the recorder takes little of it, and none where
# there is hardly any.
source "$(dirname "$0")/lib.sh"

# What the recorder takes besides its code.
"$programs/address_space" size >plain
run "$refrain" record -q -o space.rfn -- "$programs/address_space" size
expect_code 0
code_kb=$(($(size "$(dirname "$refrain")/../lib/librefrain.so" | awk 'NR == 2 { print $1 }') / 1024))
taken=$(($(cat "$out") - $(cat plain)))
echo "$taken kB of address space, $code_kb kB of them for code"
[ $((taken - code_kb)) -lt 4096 ] || fail "the recorder took $((taken - code_kb)) kB of address space besides its code"

# The program needs 4 MB.
for limit_kb in 4000 6000 8000 12000 16000; do
  run_both bash -c "ulimit -v $limit_kb; exec '$programs/address_space'"
  expect_code 0
  expect_equal "$(info 'trace["complete"]')" False
  expect_contains "$base/info.json" "calls are missing: 1 program was started without the recorder"
done
expect_transparent bash -c "ulimit -v 20000; exec '$programs/address_space'"
expect_calls 5000 '^ +write\('
