# What must hold for the kernel of every example: it builds without warnings; recorded, it gives the trace that it was
# made of, and so the same program text again; it leaves the same files.
source "$(dirname "$0")/lib.sh"
need make cc

# build_kernel TRACE FOLDER  Sets $kernel, the program.
build_kernel() {
  run "$refrain" generate -q "$1" -o "$2"
  expect_code 0
  sed -i "/compresses data/d" "$err"  # said of what has filters
  expect_empty "$err"
  run make -s -C "$2" CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
  expect_code 0
  kernel=$(ls "$2"/*.c)
  kernel=${kernel%.c}
}

# What can be said of files without their data: names, sizes, and the structure of HDF5 files.
describe_files() {
  local file
  (cd "$1" && find . -type f | sort) | while read -r file; do
    echo "$file $(stat -c %s "$1/$file")"
    case $file in
      *.h5 | *.h5part) (cd "$1" && h5dump -H "$file") 2>&1 || true ;;  # one of several files can't be read alone
    esac
  done
}

record_options=()
# laws RANKS COMMAND...  0 ranks: not under MPI.
laws() {
  local ranks=$1 launcher=()
  shift
  [ "$ranks" -eq 0 ] || launcher=(mpirun -n "$ranks")
  rm -rf "$base"/{app,kernel,again,app.rfn,kernel.rfn}
  mkdir "$base/app"
  cd "$base/app"
  "$refrain" record -q "${record_options[@]}" -o "$base/app.rfn" -- "${launcher[@]}" "$@" </dev/null 2>&1 | cat >/dev/null  # no file
  cd "$work"
  build_kernel "$base/app.rfn" "$base/kernel"
  run_kernel() {
    run "$refrain" record -q "${record_options[@]}" -o "$base/kernel.rfn" -- "${launcher[@]}" "$kernel" --root "$base/kernel/run" </dev/null
    expect_code 0
    expect_contains "$out" ": $([ "$ranks" -eq 0 ] && echo '1 process' || echo "$ranks ranks")"
  }
  expect_all_equal "$base/app.rfn" "$base/kernel.rfn" "$base/kernel/run" run_kernel
  describe_files "$base/app" >"$base/app.files"
  describe_files "$base/kernel/run" >"$base/kernel.files"
  expect_same "$base/app.files" "$base/kernel.files"
  run "$refrain" generate -q "$base/kernel.rfn" -o "$base/again"
  expect_code 0
  expect_same "$kernel.c" "$base/again/$(basename "$kernel").c"
}

for name in timesteps amr threads; do laws 0 "$examples/$name"; done
for name in idle_thread made_up every_posix h5_stand_ins h5_handed_on; do
  [ ! -x "$programs/$name" ] || laws 0 "$programs/$name"
done
if command -v mpirun >/dev/null && command -v h5dump >/dev/null; then
  for name in vpicio vorpalio gcrmio iosample checkpoint jacobi fortran_mpiio; do
    [ ! -x "$examples/$name" ] || laws 4 "$examples/$name"
    # Sizes of arrays are constants at the top, also where they are part of a place.
    [ $name != vpicio ] || [ ! -x "$examples/$name" ] || expect_contains "$kernel.c" '(hsize_t[]){SIZE_1*rank}'
  done
  # Attributes as they were.
  if [ -x "$examples/vpicio" ]; then
    record_options=(--keep-attributes)
    laws 4 "$examples/vpicio"
    (cd "$base/app" && h5dump -A vpic.h5part) >"$base/app.attributes"
    (cd "$base/kernel/run" && h5dump -A vpic.h5part) >"$base/kernel.attributes"
    expect_same "$base/app.attributes" "$base/kernel.attributes"
    record_options=()
  fi
  if [ -x "$programs/mpi_uneven" ]; then laws 6 "$programs/mpi_uneven"; fi
  if [ -x "$programs/mpi_held" ]; then laws 4 "$programs/mpi_held"; fi
  if [ -x "$programs/h5_handed_out" ]; then laws 2 "$programs/h5_handed_out"; fi
fi
