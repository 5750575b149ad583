# Sizes that grow by a factor fold into powers, over the index of a loop and over the rank, and whatever reads traces
# reads them: text, kernels, replay, comparison, merging, extrapolation.
source "$(dirname "$0")/lib.sh"
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need make cc

run "$refrain" record -q -o app.rfn -- "$programs/powers"
expect_code 0
expect_sound app.rfn
run "$refrain" dump --no-times app.rfn
expect_contains "$out" '    pwrite(fd0, data, 16<<i, 16<<i) -> 16<<i'
expect_contains "$out" '    pread(fd0, data, 16<<i, (16<<i) - 16) -> 16<<i'
expect_contains "$out" '    loop j 2*4**i'
expect_contains "$out" '      pwrite(fd0, data, 32, 10000*i + 32*j) -> 32'
run "$refrain" info --json app.rfn
expect_matches "$out" '"bytes_written": 88368,'

run "$refrain" generate -q app.rfn -o kernel
expect_code 0
expect_contains kernel/powers.c '16LL << i'
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run "$refrain" record -q -o kernel.rfn -- kernel/powers --root run
expect_code 0
run "$refrain" diff --root run app.rfn kernel.rfn
expect_code 0
run "$refrain" record -q -o replay.rfn -- "$refrain" replay -q app.rfn --root again
expect_code 0
run "$refrain" diff --root again app.rfn replay.rfn
expect_code 0

# Other numbers of turns are other calls.
"$refrain" record -q -o three.rfn -- "$programs/powers" 3 >/dev/null
run "$refrain" diff app.rfn three.rfn
expect_code 1

need mpirun "$programs/mpi_powers"
record_at mpi_powers 6 blocks
run "$refrain" dump --no-times mpi_powers.6.rfn
expect_contains "$out" 'pwrite(fd0, data, 3**rank, 0) -> 3**rank'
run "$refrain" generate -q mpi_powers.6.rfn -o blocks
expect_code 0
run make -s -C blocks CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0

# Two rounds on four ranks show no power, five on 32 do.
for ranks in 4 6 8 16 32; do record_at mpi_powers "$ranks"; done
expect_law mpi_powers 32 4 6 8 16
run "$refrain" dump --no-times mpi_powers.any.rfn
expect_matches "$out" 'loop i log2\(P\)'
expect_contains "$out" 'pwrite(fd0, data, (rank*64 + 64)<<i, (64<<i) - 64)'
expect_kernel mpi_powers 8
