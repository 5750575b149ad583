# The examples with MPICH as with Open MPI: a program can't tell that it is recorded; both recordings are equal; kernel and
# replay of a trace from MPICH make its calls under both libraries, and those of one from Open MPI under MPICH (one example;
# REFRAIN_LONG=1: all examples, those in C and Fortran, on 4, 16 and 64 ranks, or as REFRAIN_PROGRAMS and REFRAIN_RANKS say).
source "$(dirname "$0")/lib.sh"
need h5diff mpicc.mpich mpirun.mpich mpif90.mpich mpicc.openmpi mpirun.openmpi
need_layer hdf5
pkg-config --exists hdf5-mpich || { echo "skipped: there is no HDF5 for MPICH"; exit 77; }
share_cores
all=(iosample vpicio fortran_mpiio)
sizes=(4)
if [ -n "${REFRAIN_LONG:-}" ]; then
  read -ra all <<<"${REFRAIN_PROGRAMS:-${all[*]} jacobi checkpoint gcrmio vorpalio}"
  read -ra sizes <<<"${REFRAIN_RANKS:-4 16 64}"
fi

build() { # NAME
  read -ra hdf5 < <(pkg-config --cflags --libs hdf5-mpich)
  if [ "$1" = fortran_mpiio ]; then
    mpif90.mpich -O1 -J "$base" -o "$base/$1" "$source_tree/examples/$1.f90"
  else
    mpicc.mpich -O1 -o "$base/$1" "$source_tree/examples/$1.c" "${hdf5[@]}" -lm
  fi
}

# expect_remade TRACE NAME RANKS FAMILY...  Under these libraries.
expect_remade() {
  local family
  rm -rf kernel
  run "$refrain" generate -o kernel "$1"
  expect_code 0
  for family in "${@:4}"; do
    make -s -B -C kernel "CC=mpicc.$family" >"$out" 2>&1 || fail "the kernel can't be built with mpicc.$family"
    run_bounded -r again "$refrain" record -q -o kernel.rfn -- "mpirun.$family" -n "$3" "kernel/$2" --root again --prepare
    expect_code 0
    run "$refrain" diff --root again "$1" kernel.rfn
    expect_code 0
    run_bounded -r again "mpirun.$family" -n "$3" "$refrain" replay -q --root again --prepare --record replay.rfn "$1"
    expect_code 0
    run "$refrain" diff --root again "$1" replay.rfn
    expect_code 0
  done
}

for name in "${all[@]}"; do
  build "$name"
  # MPICH 3.4's mpi_f08 crashes in MPI_File_open.
  bare() { mpirun.mpich -n 2 "$base/$name" </dev/null >/dev/null 2>&1; }
  bare || { [ "$name" = fortran_mpiio ] && echo "left out: $name fails with this MPICH"; continue; }
  for ranks in "${sizes[@]}"; do
    bound=$((30 + 10 * ranks))
    expect_transparent -x '*.h5*' mpirun.mpich -n "$ranks" "$base/$name" # HDF5 keeps times in files
    for file in "$base"/plain/*.h5*; do
      [ ! -e "$file" ] || h5diff "$file" "$base/traced/${file##*/}" >&2 || fail "files differ"
    done
    cp "$base/traced.rfn" mpich.rfn
    expect_transparent -x '*.h5*' mpirun.openmpi -n "$ranks" "$examples/$name"
    cp "$base/traced.rfn" openmpi.rfn
    run "$refrain" diff mpich.rfn openmpi.rfn
    expect_code 0
    expect_remade mpich.rfn "$name" "$ranks" mpich openmpi
    [ "$name" != iosample ] && [ -z "${REFRAIN_LONG:-}" ] || expect_remade openmpi.rfn "$name" "$ranks" mpich
    [ -z "${REFRAIN_LONG:-}" ] || echo "$name on $ranks ranks: holds"
  done
done
