# Groups that a program knows from nc_inq_grps: the trace finds each by its name before its first use, calls on it are
# recorded as those of netCDF, and a kernel and a replay make them again.
source "$(dirname "$0")/lib.sh"
need make "$programs/netcdf_groups"
need_layer netcdf

run "$refrain" record -q -o groups.rfn -- "$programs/netcdf_groups"
expect_code 0
expect_sound groups.rfn
run "$refrain" dump --expand --no-times groups.rfn
expect_code 0
expect_contains "$out" ' nc_inq_grps(nc0, NULL, data)'
for call in 'nc_inq_grp_full_ncid(nc0, "/outer") -> nc1' \
  'nc_get_var_int(nc1, 0, data 32)' 'nc_inq_grp_full_ncid(nc0, "/outer/inner") -> nc2' \
  'nc_get_var_int(nc2, 0, data 16)' 'nc_inq_grp_full_ncid(nc0, "/second") -> nc3' \
  'nc_get_var_int(nc3, 0, data 64)'; do
  expect_equal "$(grep -cF " $call" "$out")" 2
done
expect_matches "$out" 'nc_inq_varid\(nc3, "nothing"\) -> NC_ENOTVAR'
expect_lacks "$out" 'H5'

run "$refrain" generate -q groups.rfn -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run "$refrain" record -q -o kernel.rfn -- kernel/netcdf_groups --root below
expect_code 0
run "$refrain" diff --root below groups.rfn kernel.rfn
expect_code 0
run "$refrain" replay -q --root again --record replay.rfn groups.rfn
expect_code 0
run "$refrain" diff --root again groups.rfn replay.rfn
expect_code 0
