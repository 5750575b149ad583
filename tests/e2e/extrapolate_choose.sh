# Programs that make calls in no order at all fold into loops that choose among them; what they choose is kept when runs
# are extrapolated.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_choose"

for ranks in 2 3 4 6 8; do
  run "$refrain" record -q -o "p$ranks.rfn" -- mpirun -n "$ranks" "$programs/mpi_choose" </dev/null
  expect_code 0
done
run "$refrain" dump --no-times p4.rfn
expect_contains "$out" 'choose ['
run "$refrain" extrapolate p2.rfn p3.rfn p4.rfn p6.rfn --at 8 -o scaled.rfn
expect_code 0
run "$refrain" diff p8.rfn scaled.rfn
expect_code 0

# For scripts: what was written, from which runs, what is in doubt and which runs would settle it.
run "$refrain" extrapolate --json p2.rfn p3.rfn p4.rfn p6.rfn -o any.rfn
expect_code 0
expect_empty "$err"
cp "$out" result.json
expect_equal "$(json result.json 'data["scale_free"], data["sizes"]')" '(True, [2, 3, 4, 6])'
run "$refrain" info --json any.rfn
cp "$out" info.json
expect_equal "$(json result.json 'data["doubts"]')" "$(json info.json 'len(data["doubts"])')"
