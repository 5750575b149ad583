# Sourced by the tests of extrapolation, after lib.sh.

# record_at PROGRAM RANKS [OPTION...]  Leaves PROGRAM.RANKS.rfn.
record_at() {
  local program=$1 ranks=$2 path=$examples/$1
  [ -x "$path" ] || path=$programs/$program
  rm -rf box
  mkdir box
  run env -C box "$refrain" record -q -o "$work/$program.$ranks.rfn" -- mpirun -n "$ranks" "$path" "${@:3}"
  expect_code 0
}

# expect_law PROGRAM TARGET SIZE...  From the sizes to the target: the program's own calls.
expect_law() {
  local program=$1 target=$2 size runs=()
  shift 2
  for size in "$@"; do runs+=("$program.$size.rfn"); done
  run "$refrain" extrapolate -q "${runs[@]}" -o "$program.any.rfn"
  expect_code 0
  run "$refrain" diff --ranks "$target" "$program.any.rfn" "$program.$target.rfn"
  expect_code 0
  run "$refrain" diff --counters --ranks "$target" "$program.any.rfn" "$program.$target.rfn"
  expect_code 0
  run "$refrain" extrapolate -q "$program.any.rfn" --at "$target" -o "$program.plain.rfn"
  expect_code 0
  run "$refrain" diff "$program.plain.rfn" "$program.$target.rfn"
  expect_code 0
}

# expect_kernel PROGRAM RANKS  The kernel of PROGRAM.any.rfn on so many ranks: the calls of PROGRAM.RANKS.rfn.
expect_kernel() {
  local program=$1 ranks=$2
  run "$refrain" generate -q "$program.any.rfn" -o "$program.kernel"
  expect_code 0
  run make -s -C "$program.kernel" CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  run "$refrain" record -q -o kernel.rfn -- mpirun -n "$ranks" "$program.kernel/$program" --root run </dev/null
  expect_code 0
  run "$refrain" diff --root run "$program.$ranks.rfn" kernel.rfn
  expect_code 0
}
