# Lists that no program passes: a list that claims 2^60 values, and lists of different lengths where the library takes as
# many of each. Every command says so in one line; nothing is expanded, and nothing is called.
source "$(dirname "$0")/lib.sh"
need "$build/tests/forge_trace"

forge() { "$build/tests/forge_trace" "$1"; }

forge absurd.rfn <<X
MPI_Type_indexed [*0x1000000000000000] [*0x1000000000000000] @MPI_INT = mpitype#0
X
for command in dump info 'generate -o kernel' 'replay --root again'; do
  run timeout 20 "$refrain" $command absurd.rfn
  expect_refused
  expect_contains "$err" 'a list of more than 4194304 values'
done
expect_no_file kernel
expect_no_file again

# As long as lists may be: read, and printed shortly.
forge long.rfn <<X
MPI_Type_indexed [*4194304] [*4194304] @MPI_INT = mpitype#0
X
run timeout 60 "$refrain" info long.rfn
expect_code 0

# A replay reads no memory behind the shorter one.
need_layer mpiio
for lists in '[1,2,3] [0]' '[*4194304] [0]' '[1] [*100]'; do
  forge different.rfn <<X
MPI_Init = 0
MPI_Type_indexed $lists @MPI_INT = mpitype#0
MPI_Finalize = 0
X
  run timeout 60 "$refrain" replay -q --root again different.rfn
  expect_code 1
  expect_equal "$(grep -c '^refrain:' "$err")" 1
  expect_matches "$err" '^refrain: rank 0: MPI_Type_indexed\(.*: takes lists of different lengths$'
done
# Nor does a kernel.
forge different.rfn <<X
MPI_Type_indexed [1,2,3] [0] @MPI_INT = mpitype#0
X
run "$refrain" generate -o kernel different.rfn
expect_refused
expect_contains "$err" "MPI_Type_indexed can't be generated: lists of different lengths"
