# Sequences, strings of variable length and references to objects: kernels and replays write as many of as much as the
# program did, and references lead to the same objects.
source "$(dirname "$0")/lib.sh"
need_layer hdf5
need h5dump "$programs/h5_variable"

# Of references to objects, h5dump of HDF5 1.14 shows an address that is another in every run.
dumped() { h5dump "$@" | sed -E 's#(DATASET|GROUP) [0-9]+ ("?/)#\1 HERE \2#g'; }

# laws RANKS PROGRAM FILE  As calls of HDF5, whoever makes them.
laws() {
  local ranks=$1 program=$2 file=$3 launcher=() kernel=kernel/$(basename "$2")
  local layers=(--layers posix,stdio,mpiio,mpi,hdf5)
  [ "$ranks" -eq 0 ] || launcher=(mpirun -n "$ranks")
  rm -rf "$base"/{app,kernel,replay}_run kernel
  mkdir "$base/app_run" && cd "$base/app_run"
  run "$refrain" record -q "${layers[@]}" -o "$base/app.rfn" -- "${launcher[@]}" "$program" </dev/null
  expect_code 0
  cd "$work"
  run "$refrain" generate -q "$base/app.rfn" -o kernel
  expect_code 0
  run make -C kernel
  expect_code 0
  run "$refrain" record -q -o kernel.rfn -- "${launcher[@]}" "$kernel" --root "$base/kernel_run" </dev/null
  expect_code 0
  run "$refrain" diff "$base/app.rfn" kernel.rfn
  expect_code 0
  run "$refrain" record -q -o replay.rfn -- "${launcher[@]}" "$refrain" replay "$base/app.rfn" --root "$base/replay_run" </dev/null
  expect_code 0
  run "$refrain" diff "$base/app.rfn" replay.rfn
  expect_code 0
  local who
  for who in kernel replay; do
    expect_equal "$(stat -c %s "$base/${who}_run/$file")" "$(stat -c %s "$base/app_run/$file")"
  done
}

# What is too long to be told is said.
run "$refrain" record -o many.rfn -- "$programs/h5_variable" many
expect_code 0
expect_contains "$err" 'refrain: 1 call of HDF5 wrote data of variable length in more pieces than a trace tells (1,048,576)'

laws 0 "$programs/h5_variable" variable.h5
run "$refrain" dump --no-times "$base/app.rfn"
expect_contains "$out" 'H5Dwrite(dataset0, type0, H5S_ALL, H5S_ALL, H5P_DEFAULT, data 80, [0, 3, 6, 2, 5])'
expect_contains "$out" 'H5Dwrite(dataset0, type0, space0, space0, H5P_DEFAULT, data 32, [9, 10])'
for who in kernel replay; do
  (cd "$base/app_run" && dumped variable.h5) >"$base/expected"
  (cd "$base/${who}_run" && dumped variable.h5) >"$base/found"
  expect_same "$base/expected" "$base/found"
  expect_matches "$base/found" 'DATASET HERE "?/sequences'
done

if [ -x "$programs/netcdf_write" ] && command -v mpirun >/dev/null && works mpi 3 "$programs/netcdf_write"; then
  laws 3 "$programs/netcdf_write" written.nc
  for who in kernel replay; do
    (cd "$base/app_run" && dumped -a /values/DIMENSION_LIST written.nc) >"$base/expected"
    (cd "$base/${who}_run" && dumped -a /values/DIMENSION_LIST written.nc) >"$base/found"
    expect_same "$base/expected" "$base/found"
  done
fi
