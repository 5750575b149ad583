# Asking whether a request is done and hearing that it isn't leaves no event: two runs give the same calls, however often
# they had to ask. Waiting for messages is communication, not I/O.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_polling"

expect_transparent mpirun -n 2 "$programs/mpi_polling"
expect_calls 16 '^ +MPI_File_iwrite_at\(fh0, [0-9]+, data 16384, 4096, MPI_INT\) -> request0$'
expect_calls 16 '^ +MPI_Test\(request0\)$'
expect_calls 0 '^ +MPI_Testall'
[ "$(info 'sum(p["empty_tests"] for p in trace["processes"])')" -gt 0 ] || fail "no test came back empty, or none was counted"
run "$refrain" info "$base/traced.rfn"
expect_matches "$out" '^polling +[0-9,]+ empty tests?, not among the calls$'
[ "$(info 'trace["communication_ns"]["point_to_point"]')" -gt 0 ] || fail "messages took no time"
run "$refrain" dump --expand --no-times "$base/traced.rfn"
grep '^ ' "$out" | sort >"$base/first"
expect_transparent mpirun -n 2 "$programs/mpi_polling"
run "$refrain" dump --expand --no-times "$base/traced.rfn"
grep '^ ' "$out" | sort >"$base/second"
expect_same "$base/first" "$base/second"
