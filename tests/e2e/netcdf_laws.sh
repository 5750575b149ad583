# A parallel netCDF-4 program: the layers below it, kernels and replays of each, and runs on other numbers of ranks. A
# classic file that it only reads is made as it was.
source "$(dirname "$0")/lib.sh"
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need mpirun make "$programs/netcdf_write"
works mpi 2 "$programs/netcdf_write" || { echo "skipped: this netCDF makes no files in parallel"; exit 77; }
need_layer netcdf

for ranks in 2 3 4 6 8; do record_at netcdf_write "$ranks"; done
expect_law netcdf_write 8 2 3 4 6
expect_kernel netcdf_write 3
"$refrain" dump --layer-streams netcdf_write.3.rfn >text
for call in nc_put_vara_float H5Dwrite MPI_File_write_at pwrite; do expect_matches text "^ +$call"; done
run mpi 3 "$refrain" replay -q --root again --record replay.rfn netcdf_write.3.rfn
expect_code 0
run "$refrain" diff --root again netcdf_write.3.rfn replay.rfn
expect_code 0
