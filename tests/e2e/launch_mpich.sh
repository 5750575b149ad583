# The recorder inside MPICH's mpirun: Hydra gives its jobs no names, yet the ranks of one find each other, and those of
# another that runs at the same time don't.
source "$(dirname "$0")/lib.sh"
need mpicc.mpich mpirun.mpich
share_cores
ranks='[p["ranks"] for p in trace["processes"] if p["ranks"]]'
mpicc.mpich -O1 -o "$base/iosample" "$source_tree/examples/iosample.c" -lm

run timeout 60 mpirun.mpich -n 3 "$refrain" record -o "$base/traced.rfn" -- "$base/iosample"
expect_code 0
expect_no_file "$base/traced.rfn.parts"
expect_equal "$(info "$ranks")" "['0..2']"
expect_calls 3 '^ +MPI_Init\('
expect_calls 6 '^ +MPI_File_open\('

# Below a shell as well.
rm "$base/traced.rfn"
run timeout 60 mpirun.mpich -n 2 sh -c "'$refrain' record -q -o '$base/traced.rfn' -- '$base/iosample'"
expect_code 0
expect_equal "$(info "$ranks")" "['0..1']"

# Two jobs with the same output: one of them is recorded, and both run.
rm "$base/traced.rfn"
record_one() { timeout 60 mpirun.mpich -n 2 "$refrain" record -o "$base/traced.rfn" -- "$@"; }
run record_one sh -c "
  [ \$PMI_RANK = 0 ] || exit 0
  env -u PMI_RANK -u PMI_SIZE -u MPI_LOCALRANKID -u LD_PRELOAD \
    mpirun.mpich -n 2 '$refrain' record -o '$base/traced.rfn' -- sh -c 'echo ran >second.\$PMI_RANK' 2>'$base/second'"
expect_code 0
expect_file second.0
expect_file second.1
expect_lines "$base/second" 1
expect_contains "$base/second" 'nothing is recorded'
expect_equal "$(info "$ranks")" "['0..1']"

# A launcher that doesn't say how many ranks there are: the program runs, and one of them says why nothing is recorded.
rm "$base/traced.rfn"
run timeout 60 mpirun.mpich -pmi-port -n 2 "$refrain" record -o "$base/traced.rfn" -- "$base/iosample"
expect_code 0
expect_no_file "$base/traced.rfn"
