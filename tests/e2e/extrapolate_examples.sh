# Every example, from one of the two sets of runs that people tend to have, to a larger number of ranks: what the trace
# says is what a recording gives there. The first set, which `extrapolate --advise` names, tells their laws apart, whether
# each rank has as much work (weak) or less the more there are (strong); powers of two do where nothing leaves a
# remainder. REFRAIN_LONG=1 takes both sets where both do, and larger ones.
source "$(dirname "$0")/lib.sh"
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need mpirun

advised=(40 4 9 23 36) powers=(32 2 4 8 16)
[ -z "${REFRAIN_LONG:-}" ] || { advised=(60 6 16 27 32) powers=(64 4 8 16 32); }

# law_of PROGRAM TARGET SIZE...  Records what hasn't been.
law_of() {
  local program=$1 ranks
  [ -x "$examples/$program" ] || { echo "left out: $program was not built"; return 0; }
  for ranks in "${@:2}"; do [ -e "$program.$ranks.rfn" ] || record_at "$program" "$ranks"; done
  expect_law "$@"
}
by_powers='iosample jacobi vorpalio' # the others take the first set
for program in checkpoint vpicio gcrmio fortran_mpiio ${REFRAIN_LONG:+$by_powers}; do law_of $program "${advised[@]}"; done
for program in $by_powers; do law_of $program "${powers[@]}"; done

strong() {
  local program=$1 option=$2 total=$3 ranks
  [ -x "$examples/$program" ] || return 0
  for ranks in "${advised[@]}"; do record_at "$program" "$ranks" "$option" $((total / ranks)); done
  expect_law "$program" "${advised[@]}"
}
strong checkpoint --bytes 1000003
strong jacobi --edge 3840
[ -n "${REFRAIN_LONG:-}" ] || exit 0
strong vpicio --particles 1000003
strong fortran_mpiio --columns 2000
