# Every example, from the two sets of runs that people tend to have, to a larger number of ranks: what the trace says is
# what a recording gives there. The first set tells all their laws apart, whether each rank has as much work (weak) or
# less the more there are (strong); powers of two do where nothing leaves a remainder.
source "$(dirname "$0")/lib.sh"
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need mpirun

for program in iosample checkpoint jacobi vpicio vorpalio gcrmio fortran_mpiio; do
  [ -x "$examples/$program" ] || { echo "left out: $program was not built"; continue; }
  for ranks in 4 6 8 16 27 32 60 64; do record_at "$program" "$ranks"; done
  expect_law "$program" 60 6 16 27 32
  expect_law "$program" 64 4 8 16 32
done

strong() {
  local program=$1 option=$2 total=$3 ranks
  [ -x "$examples/$program" ] || return 0
  for ranks in 6 16 27 32 60; do record_at "$program" "$ranks" "$option" $((total / ranks)); done
  expect_law "$program" 60 6 16 27 32
}
strong checkpoint --bytes 1000003
strong vpicio --particles 1000003
strong jacobi --edge 3840
strong fortran_mpiio --columns 2000
