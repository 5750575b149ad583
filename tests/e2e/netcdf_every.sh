# The application comes first: nearly all functions of netCDF-C, on classic files, on netCDF-4 and in parallel, with
# results, errors, output and files as ever; every function that has a row is recorded, and a kernel and a replay make the
# same calls.
source "$(dirname "$0")/lib.sh"
need mpirun make "$programs/every_netcdf" h5diff
need_layer netcdf
works mpi 2 "$programs/every_netcdf" || { echo "skipped: not all functions of this netCDF work"; exit 77; }

run_both -x four.nc -x copy.nc -x parallel.nc mpirun -n 2 "$programs/every_netcdf"
expect_sound "$base/traced.rfn"
for file in four.nc copy.nc parallel.nc; do
  h5diff -q "$base/plain/$file" "$base/traced/$file" || fail "$file differs"
done
run "$refrain" dump --expand --layer-streams --no-times "$base/traced.rfn"
expect_code 0
cp "$out" "$base/text"
grep -oE '^ +nc_[a-z_0-9]+\(' "$base/text" | tr -d ' (' | sort -u >"$base/recorded"
nm -D --undefined-only "$programs/every_netcdf" | grep -oE '\bnc_[a-z_0-9]+' | sort -u >"$base/imported"
"$refrain" api --layer netcdf | grep -oE '\bnc_[a-z_0-9]+\(' | tr -d '(' | sort -u >"$base/rows"
comm -12 "$base/imported" "$base/rows" | comm -23 - "$base/recorded" >"$base/unseen"
[ ! -s "$base/unseen" ] || fail "not recorded: $(tr '\n' ' ' <"$base/unseen")"
[ "$(wc -l <"$base/recorded")" -gt 260 ] || fail "the program calls too little"
while read -r line; do expect_contains "$base/text" "  $line"; done <<'END'
nc__create("classic.nc", NC_CLOBBER|NC_64BIT_OFFSET, 0, 8192) -> nc0
nc_def_dim(nc0, "time", NC_UNLIMITED) -> 0
nc_put_vara_float(nc0, 8, [2, 0], [1, 4], data 16)
nc_def_var_chunking(nc0, 14, NC_CHUNKED, [1, 4])
nc_set_var_chunk_cache(nc0, 14, 65536, 101, 0.5)
nc_def_grp(nc0, "out") -> nc1
nc_inq_grp_full_ncid(nc0, "/outer/inner") -> nc2
nc_insert_enum(nc0, 34, "blue", hex:0200)
nc_put_var_string(nc0, 17, data 16, [5, 2])
nc_create_par("parallel.nc", NC_CLOBBER|NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL) -> nc0
nc_var_par_access(nc0, 0, NC_COLLECTIVE)
nc_open("nothing.nc", NC_NOWRITE) -> ENOENT
H5Dwrite(
MPI_File_open(
END

run "$refrain" generate -q "$base/traced.rfn" -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run "$refrain" record -q -o kernel.rfn -- mpirun -n 2 kernel/every_netcdf --root below </dev/null
expect_code 0
run "$refrain" diff --root below "$base/traced.rfn" kernel.rfn
expect_code 0
run mpi 2 "$refrain" replay -q --root again --record replay.rfn "$base/traced.rfn"
expect_code 0
run "$refrain" diff --root again "$base/traced.rfn" replay.rfn
expect_code 0
