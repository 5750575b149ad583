# Files that HDF5 is told to use later stay below the root as well, in replays and kernels, with the sandbox and
# without; a recording of either is equal to the trace.
source "$(dirname "$0")/lib.sh"
need make cc "$programs/h5_outside"
outside=$base/outside

# nothing_outside COMMAND...  Runs it; the folder stays empty.
nothing_outside() {
  rm -rf "$outside"
  mkdir "$outside"
  run "$@"
  [ -z "$(ls -A "$outside")" ] || fail "left something outside: $(ls "$outside")"
}

for way in external climbing prefix log mdc_log link; do
  rm -rf "$outside" app replay kernel
  mkdir -p "$outside" app/x
  (cd app && ln -s "$outside" ../outside && "$refrain" record -q -o "$work/trace.rfn" -- "$programs/h5_outside" "$way" "$outside")
  expect_file "$outside/raw"
  rm outside
  "$refrain" generate -q trace.rfn -o kernel
  make -s -C kernel CFLAGS=-O0
  for sandbox in "" --no-sandbox; do
    rm -rf replay run
    nothing_outside "$refrain" replay -q $sandbox --prepare --root replay --record again.rfn trace.rfn
    expect_code 0
    run "$refrain" diff --root "$work/replay" trace.rfn again.rfn
    expect_code 0
    nothing_outside "$refrain" record -q -o again.rfn -- kernel/h5_outside $sandbox --prepare --root run
    expect_code 0
    run "$refrain" diff --root "$work/run" trace.rfn again.rfn
    expect_code 0
  done
  find run -name raw | grep -q . || fail "$way: the file is nowhere"
done

# What a driver adds to names can't be a path.
"$refrain" record -q -o trace.rfn -- "$programs/h5_outside" split "$outside"
nothing_outside "$refrain" replay -q --no-sandbox --root replay trace.rfn
expect_code 1
expect_contains "$err" 'is more than HDF5 may add to a name'
rm -rf kernel
"$refrain" generate -q trace.rfn -o kernel
make -s -C kernel CFLAGS=-O0
nothing_outside kernel/h5_outside --no-sandbox --root run
expect_code 1
expect_contains "$err" 'is more than HDF5 may add to a name'
