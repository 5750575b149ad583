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
