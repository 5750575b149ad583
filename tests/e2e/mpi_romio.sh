# ROMIO, the other implementation of MPI-IO in Open MPI, is a component that is opened at run time and makes other system
# calls: the calls of MPI are the same, the system calls are seen.
source "$(dirname "$0")/lib.sh"
need mpirun ompi_info "$programs/mpi_endings"
ompi_info 2>/dev/null | grep -q 'MCA io: romio321' || { echo "skipped: there is no ROMIO"; exit 77; }

for component in ompio romio321; do
  export OMPI_MCA_io=$component
  expect_transparent mpirun -n 2 "$programs/mpi_endings"
  run "$refrain" dump --expand --no-times "$base/traced.rfn"
  grep '^ ' "$out" | sort >"$base/$component"
  run "$refrain" dump --expand --no-times --layer-streams "$base/traced.rfn"
  expect_equal "$(grep -cE '^ +pwrite(v2?|64)?\(' "$out" || true)" 20
done
expect_same "$base/ompio" "$base/romio321"
