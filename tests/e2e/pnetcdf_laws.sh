# A program that writes and reads netCDF files through PnetCDF: the layers below it, kernels and replays of each, files
# that it only reads, and runs on other numbers of ranks.
source "$(dirname "$0")/lib.sh"
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need mpirun make "$programs/pnetcdf_steps"
need_layer pnetcdf

for ranks in 2 3 4 6 8; do record_at pnetcdf_steps "$ranks"; done
expect_law pnetcdf_steps 8 2 3 4 6
expect_kernel pnetcdf_steps 3
"$refrain" dump --layer-streams pnetcdf_steps.3.rfn >text
for call in ncmpi_iput_vara ncmpi_wait_all MPI_File_write_at_all pwrite; do expect_matches text "^ +$call"; done
run "$refrain" info pnetcdf_steps.3.rfn
expect_code 0
expect_contains "$out" pnetcdf

# Attributes are kept on request, fill values in any case; data aside, a kernel leaves the file that the program leaves.
mkdir app
run env -C app "$refrain" record -q --keep-attributes -o "$work/kept.rfn" -- mpirun -n 3 "$programs/pnetcdf_steps"
expect_code 0
run "$refrain" generate -q kept.rfn -o kept
expect_code 0
run make -s -C kept CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run mpi 3 kept/pnetcdf_steps --root kept_run
expect_code 0
run mpi 3 "$refrain" replay -q --root kept_again kept.rfn
expect_code 0
for folder in kept_run kept_again; do
  expect_equal "$(head -c 512 "$folder/steps.nc" | od -An -tx1)" "$(head -c 512 app/steps.nc | od -An -tx1)"
done

# A file that was there before: it is made as it was, but for its data.
cd app
run "$refrain" record -q -o "$work/read.rfn" -- mpirun -n 3 "$programs/pnetcdf_steps" read
expect_code 0
cd "$work"
run "$refrain" generate -q read.rfn -o read
expect_code 0
run make -s -C read CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
read_by_kernel() {
  run "$refrain" record -q -o kernel.rfn -- mpirun -n 3 read/pnetcdf_steps --root run --prepare </dev/null
  expect_code 0
}
expect_all_equal read.rfn kernel.rfn run read_by_kernel
read_by_replay() {
  run mpi 3 "$refrain" replay -q --root run --prepare --record replay.rfn read.rfn
  expect_code 0
}
expect_all_equal read.rfn replay.rfn run read_by_replay
expect_equal "$(stat -c %s run/steps.nc)" "$(stat -c %s app/steps.nc)"
