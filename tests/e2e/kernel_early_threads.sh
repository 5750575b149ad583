# A kernel tells the recorder to start afresh. Threads that libraries have started before main() may be in the middle of
# a call then, be it their first, and make others afterwards: nothing breaks, they leave no process or thread in the
# trace, and their calls are not the kernel's.
source "$(dirname "$0")/lib.sh"
need make cc "$programs/early_thread.so" "$examples/timesteps"

"$refrain" record -q -o app.rfn -- "$examples/timesteps" </dev/null >/dev/null
"$refrain" generate -q app.rfn -o kernel
make -s -C kernel CFLAGS=-O0
for round in $(seq "${REFRAIN_ROUNDS:-12}"); do
  LD_PRELOAD=$programs/early_thread.so run "$refrain" record -q -o kernel.rfn -- kernel/timesteps --root run </dev/null
  expect_code 0
  run "$refrain" diff --root run app.rfn kernel.rfn
  expect_code 0
done
run "$refrain" dump --no-times kernel.rfn
expect_lacks "$out" hostname
