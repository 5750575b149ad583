# `info --files` says in words which part of a file, a dataset or a variable each rank has, as programs select it:
# hyperslabs of HDF5, parts of netCDF's variables, views of MPI-IO.
source "$(dirname "$0")/lib.sh"
need mpirun

# patterns PROGRAM RANKS  Its patterns, on $out.
patterns() {
  run "$refrain" record -q -o t.rfn -- mpirun -n "$2" "$1"
  expect_code 0
  run "$refrain" info --files t.rfn
  expect_code 0
  ran=$((ran + 1))
}
ran=0

if [ -x "$examples/vorpalio" ]; then
  patterns "$examples/vorpalio" 4
  expect_contains "$out" "vorpal.h5 written: 18 datasets: each rank a block of 16 x 16 x 16 of 32 x 32 x 16 elements (32 KiB), in a grid of 2 x 2 x 1"
  patterns "$examples/gcrmio" 4 # the last rank has two cells more, selected one by one
  expect_contains "$out" "6 datasets: each rank a block of 640 x 9 to 642 x 9 of 2,562 x 9 elements (22.5 KiB to 22.6 KiB), one behind the other"
fi
if [ -x "$examples/jacobi" ]; then
  patterns "$examples/jacobi" 4
  expect_contains "$out" "jacobi.dat written: each rank a block of 32 x 32 of 64 x 64 elements (8 KiB), in a grid of 2 x 2, 4 times, 32 KiB further on each time"
  patterns "$examples/iosample" 4 # two views of one file, and one file for each rank
  expect_contains "$out" "iosample_shared read: each rank a block of 32 x 32 of 64 x 64 elements (8 KiB), in a grid of 2 x 2, 8 times, 32 KiB further on each time; ranks take turns, 32 elements at a time (64 KiB), in 8 pieces"
  expect_contains "$out" "iosample_self.00001 written: rank 1 alone: a contiguous block of 48 KiB in 3 pieces of different sizes"
fi
if [ -x "$programs/pnetcdf_steps" ]; then
  patterns "$programs/pnetcdf_steps" 4
  expect_contains "$out" "steps.nc written: 3 variables: each rank a block of 3 x 4 x 8 elements (384 bytes), one behind the other, in 3 pieces of 1 x 4 x 8; variable 3: each rank irregular parts (64 bytes)"
fi
if [ -x "$programs/netcdf_write" ] && works mpi 2 "$programs/netcdf_write"; then
  patterns "$programs/netcdf_write" 4
  expect_contains "$out" "written.nc written: variable 1: each rank a block of 4 x 6 x 8 elements (768 bytes), one behind the other, in 4 pieces of 1 x 6 x 8"
fi
[ "$ran" -gt 0 ] || { echo "skipped: no program that MPI runs was built"; exit 77; }
