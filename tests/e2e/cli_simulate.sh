# `refrain simulate` on traces that are there already: results that repeat, totals of the trace, and what is said about
# bad machines and options. Without SimGrid it says so.
source "$(dirname "$0")/lib.sh"

run "$refrain" simulate --help
expect_code 0
expect_contains "$out" 'Usage: refrain simulate'
expect_contains "$out" 'Example:'

run "$refrain" simulate "$golden/v4.rfn" --ranks 64 --machine cluster
if [ "$code" -eq 2 ] && grep -q 'without SimGrid' "$err"; then
  expect_refused
  exit 0
fi
expect_code 0
expect_contains "$out" 'application'
expect_contains "$out" 'targets:'

# The same again, bit by bit, and the bytes of the trace.
for trace in "$golden/v4.rfn --ranks 64" "$golden/v2.rfn"; do
  run "$refrain" simulate $trace --machine cluster --json --svg one.svg
  expect_code 0
  cp "$out" first.json
  run "$refrain" simulate $trace --machine cluster --json
  expect_same first.json "$out"
  expect_contains one.svg '<svg'
  run "$refrain" info --json $trace
  cp "$out" info.json
  for total in bytes_read bytes_written; do
    expect_equal "$(json first.json "data['applications'][0]['$total']")" "$(json info.json "data['outer']['$total']")"
    expect_equal "$(json first.json "sum(f['$total'] for f in data['applications'][0]['functions'])")" \
      "$(json info.json "data['outer']['$total']")"
  done
done

# Every rank for itself: the same bytes.
run "$refrain" simulate "$golden/v2.rfn" --machine cluster --detail rank --json
expect_code 0
expect_equal "$(json "$out" 'data["applications"][0]["bytes_written"]')" "$(json first.json 'data["applications"][0]["bytes_written"]')"
run "$refrain" simulate "$golden/v4.rfn" --ranks 64 --machine cluster --detail rank --json
expect_equal "$(json "$out" 'data["applications"][0]["groups"]')" 64

# Two at once, without and with a coordinator: both take at least as long as alone.
for policy in '' '--policy stretch' '--policy fifo'; do
  run "$refrain" simulate "$golden/v4.rfn" "$golden/v4.rfn" --ranks 64,32 --machine cluster $policy --json
  expect_code 0
  expect_equal "$(json "$out" 'all(a["stretch"] >= 1 - 1e-9 for a in data["applications"])')" True
done
run "$refrain" simulate "$golden/v4.rfn" "$golden/v4.rfn" --ranks 64,32 --machine cluster
expect_contains "$out" 'stretch'

# Machines and options that are wrong, a line each.
refuse() {
  echo "$1" >machine.json
  run "$refrain" simulate "$golden/v4.rfn" --ranks 4 --machine machine.json
  expect_refused
  expect_contains "$err" "machine.json$2"
}
refuse '{' ''
refuse '{"nodes": 4}' ', target: is missing'
refuse '{"nodes": 4, "target": {"read_bandwidth": 1, "write_bandwidth": -1}}' ', target.write_bandwidth: must'
refuse '{"nodes": 4, "disks": 3, "target": {}}' ', "disks": is no field'
run "$refrain" simulate "$golden/v4.rfn" --ranks 4 --machine nowhere
expect_refused
expect_contains "$err" 'nowhere: no such file'
run "$refrain" simulate "$golden/v4.rfn" --machine cluster
expect_refused
expect_contains "$err" '--ranks'
run "$refrain" simulate "$golden/v2.rfn" "$golden/v2.rfn" --machine laptop
expect_refused
expect_contains "$err" '16 ranks need 1 nodes from node 1 on'
run "$refrain" simulate "$golden/v4.rfn" --ranks 4,5 --machine cluster
expect_refused
run "$refrain" simulate "$golden/v4.rfn" --ranks 4 --machine cluster --policy nice
expect_refused
for machine in "$source_tree"/share/machines/*.json; do
  run "$refrain" simulate "$golden/v4.rfn" --ranks 4 --machine "$machine"
  expect_code 0
done

# A machine file of this computer.
run "$refrain" simulate --calibrate . -o here.json
expect_code 0
run "$refrain" simulate "$golden/v4.rfn" --ranks 1 --machine here.json
expect_code 0
run "$refrain" simulate --calibrate nowhere
expect_refused
expect_contains "$err" 'nowhere'
run "$refrain" simulate --calibrate . "$golden/v4.rfn"
expect_refused
run "$refrain" simulate "$golden/v4.rfn"
expect_refused
