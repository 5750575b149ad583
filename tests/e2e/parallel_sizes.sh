# The size of a merged trace does not depend on the number of ranks: each example on 4, 16 and 64 ranks, the same
# within 5% (docs/figures.md).
source "$(dirname "$0")/lib.sh"
need mpirun

for name in vpicio vorpalio gcrmio iosample checkpoint jacobi fortran_mpiio; do
  [ -x "$examples/$name" ] || continue
  sizes=()
  for ranks in 4 16 64; do
    rm -rf "${work:?}"/*
    run "$refrain" record -q -o "$base/$name.$ranks.rfn" -- mpirun -n $ranks "$examples/$name"
    expect_code 0
    expect_empty "$err"
    sizes+=("$(stat -c %s "$base/$name.$ranks.rfn")")
  done
  echo "$name: ${sizes[*]} bytes"
  largest=$(printf '%s\n' "${sizes[@]}" | sort -n | tail -1)
  smallest=$(printf '%s\n' "${sizes[@]}" | sort -n | head -1)
  [ $((largest * 100)) -le $((smallest * 105)) ] || fail "$name depends on the ranks: ${sizes[*]} bytes"
done
if [ -x "$examples/vorpalio" ]; then
  run "$refrain" dump --no-times "$base/vorpalio.64.rfn"
  expect_code 0
  expect_lacks "$out" 'table'
fi
