# The size of a merged trace, its heat map aside, does not depend on the number of ranks: each example on 4 and 16 ranks, one on 64 (all of
# them with REFRAIN_LONG=1), the same within 5% (docs/figures.md). The same holds for a program whose ranks have long lists of places, below the calls that it makes.
source "$(dirname "$0")/lib.sh"
need mpirun

for program in "$examples"/{vpicio,vorpalio,gcrmio,iosample,checkpoint,jacobi,fortran_mpiio} "$programs/h5_segments"; do
  [ -x "$program" ] || continue
  name=$(basename "$program")
  sizes=()
  for ranks in 4 16 64; do
    case "$ranks $name ${REFRAIN_LONG:+all}" in
      "64 vorpalio "* | *all | 4* | 16*) ;;
      *) continue ;;
    esac
    rm -rf "${work:?}"/*
    run "$refrain" record -q --no-heat-map -o "$base/$name.$ranks.rfn" -- mpirun -n $ranks "$program"
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
