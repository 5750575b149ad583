# A trace is repeated with the launcher of either family, whichever it was recorded with. With a library that isn't the
# launcher's each process would be alone: a replay and a kernel say so, and do nothing.
source "$(dirname "$0")/lib.sh"
need make mpicc.mpich mpirun.mpich mpicc.openmpi mpirun.openmpi "$examples/iosample"
need_layer mpiio
share_cores
library_of() { ldd "$1" | sed -nE 's/.*(libmpi(ch)?\.so[^ ]*) =>.*/\1/p' | head -n 1; }
mpicc.mpich -O1 -o "$base/iosample" "$source_tree/examples/iosample.c" -lm
declare -A libraries=([mpich]=$(library_of "$base/iosample") [openmpi]=$(library_of "$examples/iosample"))
run "$refrain" record -q -o trace.rfn -- mpirun.mpich -n 3 "$base/iosample"
expect_code 0
run "$refrain" generate -q trace.rfn -o kernel
expect_code 0
for family in mpich openmpi; do
  run make -s -B -C kernel "CC=mpicc.$family"
  expect_code 0
  cp kernel/iosample "kernel/$family"
done

# Processes of Open MPI that each start alone at the same time may fail to make the folder of their sessions: it is there.
export TMPDIR=$base/tmp
mkdir -p "$TMPDIR/refrain-mpi.$(id -u)/ompi.$(hostname).$(id -u)/kept"
chmod -R 700 "$TMPDIR"
for pair in 'mpich openmpi' 'openmpi mpich'; do
  read -r launcher other <<<"$pair"
  run timeout 60 "mpirun.$launcher" -n 3 "$refrain" replay -q --root "replay_$launcher" trace.rfn </dev/null
  expect_code 0
  export REFRAIN_MPI_LIBRARY=${libraries[$other]}
  run timeout 60 "mpirun.$launcher" -n 3 "$refrain" replay -q --root other trace.rfn </dev/null
  unset REFRAIN_MPI_LIBRARY
  [ "$code" -ne 0 ] || fail "the replay ended well"
  expect_contains "$err" 'the launcher started 3 processes, but MPI sees 1: it is not the launcher of'
  [ -z "$(find other -type f 2>/dev/null)" ] || fail "the replay made files"
  run timeout 60 "mpirun.$launcher" -n 3 "kernel/$other" --root other </dev/null
  expect_code 2
  expect_equal "$(grep -c 'the launcher started 3 processes, but MPI sees one: it is not the launcher of the MPI' "$err")" 1
  [ -z "$(find other -type f 2>/dev/null)" ] || fail "the kernel made files"
done
