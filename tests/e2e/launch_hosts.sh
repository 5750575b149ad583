# Ranks on several hosts that share a file system: recorded by default, around the launcher and inside it, and the trace
# is that of one host. Where a host doesn't share the folder of the parts, that is said, and the program runs.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_hosts.sh"
need mpirun unshare "$examples/iosample" "$programs/mpi_endings"
ranks='[p["ranks"] for p in trace["processes"] if p["ranks"]]'
# calls FILE  Of the ranks, not of what starts them.
calls() { for rank in 0 1 2 3; do "$refrain" dump --expand --no-times --rank "$rank" "$1"; done | grep -vE '^(trace|note|process) '; }
hosts=(--host a:2,b:2 -n 4)

run "$refrain" record -q -o "$base/one.rfn" -- mpirun -n 4 "$examples/iosample" </dev/null
expect_code 0
calls "$base/one.rfn" >"$base/one.calls"
start_hosts

# same_calls  The trace is whole, nothing stays behind, and it is that of one host.
same_calls() {
  expect_code 0
  expect_no_file "$base/traced.rfn.parts"
  expect_equal "$(info "$ranks")" "['0..3']"
  expect_equal "$(info "$calls_lost")" 0
  calls "$base/traced.rfn" >"$base/traced.calls"
  expect_same "$base/one.calls" "$base/traced.calls"
  rm "$base/traced.rfn"
}
run "$refrain" record -q -o "$base/traced.rfn" -- mpirun "${hosts[@]}" "$examples/iosample" </dev/null
same_calls
run mpirun "${hosts[@]}" "$refrain" record -q -o "$base/traced.rfn" -- "$examples/iosample" </dev/null
sed -i '/plm:ssh: Warning: setpgid/d' "$err"  # of Open MPI 5, if what it starts is faster than it
expect_empty "$err"
same_calls
# All of them are recorded, and the user says so: they merge while MPI runs.
run env REFRAIN_IN_PLACE=always "$refrain" record -q -o "$base/traced.rfn" -- \
  mpirun -x REFRAIN_IN_PLACE "${hosts[@]}" "$examples/iosample" </dev/null
same_calls

# Rules reach the other hosts, too.
run "$refrain" record -q --exclude '**_posix.*' -o "$base/traced.rfn" -- mpirun "${hosts[@]}" "$examples/iosample" </dev/null
expect_code 0
expect_calls 0 '_posix'
expect_calls 4 '^ +MPI_Init\('
rm "$base/traced.rfn"

# A rank that is killed on another host: what it did is there; whether it still runs can't be seen from here.
run_bounded -r "$base/traced.rfn" -r "$base/traced.rfn.parts" \
  "$refrain" record -o "$base/traced.rfn" -- mpirun "${hosts[@]}" "$programs/mpi_endings" --kill 2
[ "$code" -ne 0 ] || fail "the program ended well"
expect_matches "$err" 'not ended on other hosts.*refrain merge'
expect_equal "$(info "$ranks")" "['0..3']"
run "$refrain" merge -q "$base/traced.rfn.parts" -o "$base/again.rfn"
expect_code 0
rm -r "$base/traced.rfn"*

# Host b doesn't see the folder.
mkdir "$base/private"
start_hosts b "$base/private"
run "$refrain" record -o "$base/private/traced.rfn" -- mpirun "${hosts[@]}" "$examples/iosample" </dev/null
expect_code 0
expect_equal "$(grep -c "host b has no $base/private/traced.rfn.parts: its ranks are not recorded" "$err")" 1
expect_contains "$err" 'of 4 ranks, 2..3 left nothing'
mv "$base/private/traced.rfn" "$base/traced.rfn"
expect_equal "$(info "$ranks")" "['0..1']"
run mpirun "${hosts[@]}" "$refrain" record -q -o "$base/private/traced.rfn" -- "$examples/iosample" </dev/null
expect_code 0
# At least one of each host says so; both do if they end at the same time.
[ "$(grep -c "their hosts don't share this folder" "$err")" -ge 2 ] || fail "it is not said that hosts are apart"
