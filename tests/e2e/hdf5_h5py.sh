# Python opens HDF5 in a scope of its own; it is recorded all the same, alone and on several ranks.
source "$(dirname "$0")/lib.sh"
need_layer mpi hdf5
python=/usr/bin/python3
need mpirun h5diff $python
mpi 1 $python -c 'import h5py, mpi4py; assert h5py.get_config().mpi' 2>/dev/null ||
  { echo "skipped: there is no parallel h5py"; exit 77; }

cat >"$base/alone.py" <<'END'
import h5py, numpy
with h5py.File("alone.h5", "w") as file:
    for step in range(4):
        group = file.create_group(f"Step#{step}")
        data = group.create_dataset("x", (100,), dtype="f8", chunks=(10,), compression="gzip")
        for i in range(10):
            data[i * 10:(i + 1) * 10] = numpy.arange(10)
        group.attrs["time"] = step * 0.1
    print(sum(file["Step#2/x"][...]))
with h5py.File("alone.h5", "r") as file:
    print(list(file), file["Step#1"].attrs["time"])
try:
    h5py.File("there is none.h5", "r")
except OSError as error:
    print(error)
END
cat >"$base/together.py" <<'END'
from mpi4py import MPI
import h5py, numpy
world = MPI.COMM_WORLD
file = h5py.File("together.h5", "w", driver="mpio", comm=world)
data = file.create_dataset("x", (world.size * 8,), dtype="i4")
for i in range(8):
    data[world.rank * 8 + i] = numpy.int32(i)
with data.collective:
    data[world.rank * 8:(world.rank + 1) * 8] = numpy.arange(8, dtype="i4")
file.close()
END

run_both -x '*.h5' $python "$base/alone.py"
expect_sound "$base/traced.rfn"
h5diff -q "$base/plain/alone.h5" "$base/traced/alone.h5" || fail "alone.h5 differs"
expect_calls 40 '^ +H5Dwrite\(dataset[0-9]+, type[0-9]+, space[0-9]+, space[0-9]+, (plist[0-9]+|H5P_DEFAULT), data 80\)$'
expect_calls 4 '^ +H5Gcreate2\(file0, "Step#[0-3]", '
expect_calls 4 '^ +H5Pset_deflate\(plist[0-9]+, 4\)$'
expect_matches "$out" '^ +H5Fopen\("there is none.h5", H5F_ACC_RDONLY, plist[0-9]+\) -> H5E_CANTOPENFILE$'

run_both -x '*.h5' mpirun -n 2 $python "$base/together.py"
expect_sound "$base/traced.rfn"
h5diff -q "$base/plain/together.h5" "$base/traced/together.h5" || fail "together.h5 differs"
expect_calls 2 '^ +H5Pset_fapl_mpio\(plist[0-9]+, MPI_COMM_WORLD, MPI_INFO_NULL\)$'
expect_calls 16 '^ +H5Dwrite\(dataset[0-9]+, [^,]+, space[0-9]+, space[0-9]+, [^,]+, data 4\)$'
expect_calls 2 '^ +H5Dwrite\(dataset[0-9]+, [^,]+, space[0-9]+, space[0-9]+, [^,]+, data 32\)$'
