# ROMIO, the other implementation of MPI-IO in Open MPI, is a component that is opened at run time and makes other system
# calls: the calls of MPI are the same, the system calls are seen.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_endings"
need_romio

for component in ompio "$romio"; do
  export OMPI_MCA_io=$component
  expect_transparent mpirun -n 2 "$programs/mpi_endings"
  run "$refrain" dump --expand --no-times "$base/traced.rfn"
  grep '^ ' "$out" | sort >"$base/$component"
  run "$refrain" dump --expand --no-times --layer-streams "$base/traced.rfn"
  expect_equal "$(grep -cE '^ +pwrite(v2?|64)?\(' "$out" || true)" 20
done
expect_same "$base/ompio" "$base/$romio"
