# The ranks of a job are one process of the trace; each keeps its calls, and the trace, its heat map aside, doesn't grow with them.
. "$(dirname "$0")/lib.sh"
need mpirun "$examples/checkpoint" "$examples/jacobi"

for ranks in 4 16; do
  run "$refrain" record --no-heat-map --keep-parts -o jacobi$ranks.rfn --layers mpiio -- mpirun -n $ranks "$examples/jacobi"
  expect_code 0
  expect_contains "$err" "1 process for $ranks ranks"
done
small=$(stat -c %s jacobi4.rfn) large=$(stat -c %s jacobi16.rfn)
[ "$large" -le $((small + small / 10)) ] || fail "4 ranks take $small bytes, 16 ranks $large"

# Whichever way calls are paired, every rank keeps its own.
for window in 8 200; do
  run "$refrain" merge jacobi16.rfn.parts -o greedy.rfn --align greedy --window $window
  expect_code 0
  run "$refrain" diff jacobi16.rfn greedy.rfn
  expect_code 0
done
run "$refrain" merge jacobi16.rfn.parts -o other.rfn --align worst
expect_code 2

# One rank out of many, folded and call by call; ranks that aren't there are named.
run "$refrain" record -o checkpoint.rfn --layers stdio,posix -- mpirun -n 8 "$examples/checkpoint"
expect_code 0
run "$refrain" dump --no-times checkpoint.rfn
expect_contains "$out" 'ranks 0..4 step 4'
expect_contains "$out" '[ranks 0] mkdir("snapshot.{i:08}", 0755)'
expect_contains "$out" 'atoms#{rank/4:06}'
run "$refrain" dump --no-times --rank 4 checkpoint.rfn
expect_contains "$out" 'atoms#000001'
run "$refrain" dump --no-times --expand --rank 4 checkpoint.rfn
expect_contains "$out" 'fopen("snapshot.00000000/atoms#000001", w) -> stream0'
run "$refrain" dump --rank 8 checkpoint.rfn
expect_code 2
expect_contains "$err" 'there is no rank 8'
