# `refrain api --missing` reads headers as they are, and says which of their functions have no row.
source "$(dirname "$0")/lib.sh"

mkdir headers
cat >headers/mpi.h <<'HEADER'
#include <stddef.h>
#include <mpi_proto.h>
#define OMPI_DECLSPEC
OMPI_DECLSPEC int MPI_File_open(int comm, const char* name);
OMPI_DECLSPEC int MPI_Keyval_create(const void* buffer);
OMPI_DECLSPEC int MPI_Brand_new(void);
OMPI_DECLSPEC int PMPI_Keyval_create(const void* buffer);
HEADER
echo 'int MPI_Newer(void);' >headers/mpi_proto.h
cat >headers/hdf5.h <<'HEADER'
#include "H5public.h"
HEADER
echo 'H5_DLL int H5brand_new(int x);' >headers/H5public.h

run "$refrain" api --missing --headers headers
expect_code 0
expect_matches "$out" '^MPI: 3 not recorded of 4 functions \(headers/mpi.h\)$'
expect_matches "$out" '^  MPI_Keyval_create +attributes cached on handles$'
expect_matches "$out" '^  MPI_Brand_new +NO REASON GIVEN$'
expect_matches "$out" '^  MPI_Newer +NO REASON GIVEN$'
expect_lacks "$out" MPI_File_open
expect_lacks "$out" PMPI
expect_matches "$out" '^  H5brand_new '

run "$refrain" api --missing --layer hdf5 --json --headers headers
expect_code 0
python3 - "$out" <<'PYTHON'
import json, sys
libraries = json.load(open(sys.argv[1]))
names = [f["name"] for library in libraries for f in library["missing"]]
assert names == ["H5brand_new"], libraries
PYTHON

run "$refrain" api --missing --headers "$work"
expect_refused
run "$refrain" api --headers headers
expect_refused

# Of the libraries that are installed, nothing is left out without a reason, and of HDF5 nothing that does anything to
# files, objects or property lists: the error stack, a driver for HDF5's own tests and one for Windows remain, and what
# drivers and connectors are written with.
for mpich in /usr/include/*/mpich /usr/lib/*/mpich/include; do
  [ -e "$mpich/mpi.h" ] || continue
  run "$refrain" api --missing --layer mpi --headers "$mpich"
  expect_code 0
  expect_lacks "$out" 'NO REASON GIVEN'
  expect_matches "$out" '^  MPI_Attr_get +attributes cached on handles$'
done
run "$refrain" api --missing
if [ "$code" -eq 0 ]; then
  expect_lacks "$out" 'NO REASON GIVEN'
  grep -E '^ +H5' "$out" | grep -vE '^ +(H5E|H5FD_|H5Pset_fapl_(mirror|windows) |H5is_)' >"$base/rest" || true
  if grep -iE '(create|open|close|read|write|select|move|delete|remove|copy|link|set)[^ ]* ' "$base/rest" |
    grep -vE '  (only asks|for writers of (drivers|connectors).*|maps: need a connector.*|locks HDF5.*|in headers before .*|calls back .*)$'; then fail "calls that do something are not recorded"; fi
fi
