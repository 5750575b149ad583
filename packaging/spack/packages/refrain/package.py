"""How Spack builds Refrain. Use it from a checkout:

    spack repo add packaging/spack
    spack dev-build refrain@develop
"""

from spack.package import *


class Refrain(CMakePackage):
    """Learns the I/O of a parallel application from its binary: records it, regenerates it as a small C
    program, replays it, scales it to other numbers of ranks, simulates it, and coordinates running jobs."""

    license("Apache-2.0")

    version("develop")
    version("0.2.0")

    variant("mpi", default=True, description="Record MPI and MPI-IO")
    variant("hdf5", default=True, description="Record HDF5")
    variant("coordinate", default=True, description="Coordinate running jobs, by ZeroMQ")
    variant("simgrid", default=False, description="Simulate, on SimGrid")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11", type="build")
    depends_on("tl-expected", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("fmt")
    depends_on("zstd")
    depends_on("xxhash")
    depends_on("libffi")
    depends_on("mimalloc")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5+mpi", when="+hdf5+mpi")
    depends_on("hdf5~mpi", when="+hdf5~mpi")
    depends_on("libzmq", when="+coordinate")
    depends_on("simgrid", when="+simgrid")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("REFRAIN_MPI", "mpi"),
            self.define_from_variant("REFRAIN_HDF5", "hdf5"),
            self.define_from_variant("REFRAIN_COORDINATE", "coordinate"),
            self.define_from_variant("REFRAIN_SIMGRID", "simgrid"),
            self.define("REFRAIN_TESTS", False),
            self.define("REFRAIN_BENCH", False),
            self.define("REFRAIN_EXAMPLES", False),
        ]
