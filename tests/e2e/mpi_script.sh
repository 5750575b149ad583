# Ranks that are scripts: the shell and its tools are processes of the trace, but kernels and replays are of the
# application, and say so.
source "$(dirname "$0")/lib.sh"
need mpirun make "$examples/iosample"

cat >job.sh <<END
#!/bin/sh
mkdir -p out
cd out
echo begin >>log.\$OMPI_COMM_WORLD_RANK
"$examples/iosample"
echo end >>log.\$OMPI_COMM_WORLD_RANK
END
chmod +x job.sh
run "$refrain" record -o script.rfn -- mpirun -n 3 ./job.sh
expect_code 0
expect_matches "$err" ': 3 processes for 3 ranks '
(cd out && "$refrain" record -q -o ../plain.rfn -- mpirun -n 3 "$examples/iosample" </dev/null >/dev/null)

run "$refrain" generate script.rfn -o kernel
expect_code 0
expect_matches "$err" ' bytes for process 2 alone \("iosample"\);'
make -s -C kernel >"$out" 2>&1 || fail "the kernel can't be built"
"$refrain" record -q -o kernel.rfn -- mpirun -n 3 kernel/iosample --root kernel_run </dev/null >/dev/null
run "$refrain" diff plain.rfn kernel.rfn
expect_code 0

run mpi 3 "$refrain" replay --root replay_run --record replay.rfn script.rfn
expect_code 0
expect_matches "$err" ' to be written for process 2 alone \("iosample"\) below '
run "$refrain" diff plain.rfn replay.rfn
expect_code 0

# The shell, if it is asked for.
run mpi 3 "$refrain" replay -q --process 0 --prepare --root shell script.rfn
expect_code 0
expect_equal "$(find shell -name 'log.*' | wc -l)" 3
