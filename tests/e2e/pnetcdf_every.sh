# The application comes first: nearly all functions of PnetCDF, with results, errors, output and files as ever; every
# function that has a row is recorded, and a kernel and a replay make the same calls.
source "$(dirname "$0")/lib.sh"
need mpirun make "$programs/every_pnetcdf"
need_layer pnetcdf

expect_transparent mpirun -n 2 "$programs/every_pnetcdf"
run "$refrain" dump --expand --layer-streams --no-times "$base/traced.rfn"
expect_code 0
cp "$out" "$base/text"
grep -oE '^ +ncmpi_[a-z_0-9]+\(' "$base/text" | tr -d ' (' | sort -u >"$base/recorded"
nm -D --undefined-only "$programs/every_pnetcdf" | grep -oE '\bncmpi_[a-z_0-9]+' | sort -u >"$base/imported"
"$refrain" api --layer pnetcdf | grep -oE '\bncmpi_[a-z_0-9]+\(' | tr -d '(' | sort -u >"$base/rows"
comm -12 "$base/imported" "$base/rows" | comm -23 - "$base/recorded" >"$base/unseen"
[ ! -s "$base/unseen" ] || fail "not recorded: $(tr '\n' ' ' <"$base/unseen")"
[ "$(wc -l <"$base/recorded")" -gt 850 ] || fail "the program calls too little"
while read -r line; do expect_contains "$base/text" "  $line"; done <<'END'
ncmpi_create(MPI_COMM_WORLD, "every.nc", NC_CLOBBER|NC_64BIT_DATA, info0) -> ncid0
ncmpi_def_dim(ncid0, "time", NC_UNLIMITED) -> 0
ncmpi_def_var(ncid0, "v_int", NC_INT, [1, 2]) -> 10
ncmpi_def_var_fill(ncid0, 24, 0, hex:0000c0bf)
ncmpi_put_att_text(ncid0, NC_GLOBAL, "title", 5, data 5)
ncmpi_put_vara_double_all(ncid0, 22, [2, 0], [2, 4], data 64)
ncmpi_get_varm_short_all(ncid0, 6, [0, 0], [2, 2], [1, 2], [1, 2], data 8)
ncmpi_put_vara_all(ncid0, 10, [2, 0], [2, 4], data 32, 1, mpitype0)
ncmpi_put_varn_int_all(ncid0, 10, 2, [2, 0, 3, 1], [1, 2, 1, 2], data 16)
ncmpi_wait_all(ncid0, NC_REQ_ALL, NULL, NULL)
ncmpi_close(ncid0)
ncmpi_open(MPI_COMM_WORLD, "nothing.nc", NC_NOWRITE, MPI_INFO_NULL) -> NC_ENOENT
END

run "$refrain" generate -q "$base/traced.rfn" -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O0 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run "$refrain" record -q -o kernel.rfn -- mpirun -n 2 kernel/every_pnetcdf --root below </dev/null
expect_code 0
run "$refrain" diff --root below "$base/traced.rfn" kernel.rfn
expect_code 0
run mpi 2 "$refrain" replay -q --root again --record replay.rfn "$base/traced.rfn"
expect_code 0
run "$refrain" diff --root again "$base/traced.rfn" replay.rfn
expect_code 0
