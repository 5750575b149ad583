# Sourced by the other scripts: what each of them needs from Debian 12 or 13, and how it gets there. Nothing is
# installed, and no network is used, when everything is present already.

# Headers for the recorder, libraries for the example applications. Refrain builds without them too, and says so.
parallel_packages="gfortran libopenmpi-dev libhdf5-openmpi-dev libhdf5-dev libnetcdf-mpi-dev libpnetcdf-dev"
build_packages="cmake ninja-build g++ gcc pkg-config libfmt-dev libexpected-dev libcli11-dev nlohmann-json3-dev
  libzstd-dev libxxhash-dev libffi-dev libmimalloc-dev libzmq3-dev libsimgrid-dev libbenchmark-dev $parallel_packages"
# For reports; it may have come from elsewhere.
command -v npm >/dev/null || build_packages="$build_packages npm"
demo_packages="$build_packages make tar coreutils openmpi-bin hdf5-tools"
lint_packages="$build_packages clang-format clang-tidy libgtest-dev libgmock-dev git"
test_packages="$lint_packages ccache make clang lld libclang-rt-dev strace musl-tools sqlite3 python3 perl tar openmpi-bin
  mpich libmpich-dev libhdf5-mpich-dev hdf5-tools python3-h5py python3-h5py-mpi python3-mpi4py python3-numpy
  slurm-wlm slurmd slurmctld slurm-client slurm-wlm-basic-plugins liburing-dev mkdocs man-db chromium
  zsh fish lmod"
# What Debian 11 has of it, for scripts/test-recorder.
recorder_packages="cmake ninja-build g++ gcc pkg-config libfmt-dev libexpected-dev nlohmann-json3-dev libzstd-dev
  libxxhash-dev libffi-dev libzmq3-dev $parallel_packages make tar strace sqlite3 python3 perl git openmpi-bin mpich
  libmpich-dev libhdf5-mpich-dev hdf5-tools python3-h5py python3-h5py-mpi python3-mpi4py python3-numpy liburing-dev"

# need_packages PACKAGE...  Installs those that are missing; explains itself and fails when it may not.
need_packages() {
  command -v dpkg-query >/dev/null || { echo "This is no Debian system; please provide: $*" >&2; return 0; }
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Missing Debian packages: ${missing[*]}" >&2
      echo "Installing them needs root or sudo. As root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}" >&2
  apt_get install "${missing[@]}" >/dev/null 2>&1 || { apt_get update && apt_get install "${missing[@]}"; } >&2
}

# Uses `as_root` of its caller.
apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}
