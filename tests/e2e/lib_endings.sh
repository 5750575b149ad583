# Sourced by tests of parallel programs that end otherwise than they should. They set, before they call what is below:
#   mpirun         the launcher of the MPI library
#   program        tests/programs/mpi_c/mpi_endings.c, compiled with that library
#   rank_variable  what the launcher tells a process its rank in

ranks_recorded='[p["ranks"] for p in trace["processes"] if p["ranks"]]'

# ends_badly OPTION RANK  All four ranks are there with what they wrote; that one did not finalize.
ends_badly() {
  # Once in many times Open MPI's launcher doesn't come back by itself.
  run "$refrain" record -o "$base/traced.rfn" -- timeout -k 2 30 "$mpirun" -n 4 "$program" "$1" "$2"
  [ "$code" -ne 0 ] || fail "the program ended well"
  expect_contains "$err" 'ended early'
  expect_no_file "$base/traced.rfn.parts"
  expect_equal "$(info "$ranks_recorded")" "['0..3']"
  run "$refrain" dump --expand --no-times --rank "$2" "$base/traced.rfn"
  expect_code 0
  # That of MPICH 4.2 may return from MPI_Abort, and go on for a moment.
  sed '/MPI_Abort/,$d' "$out" >"$base/before"
  expect_lacks "$base/before" 'MPI_Finalize()'
  expect_equal "$(grep -c 'MPI_File_write_at' "$out")" 10
  expect_equal "$(info "$calls_lost")" 0
  expect_contains "$out" 'early'
}

# One rank killed, MPI_Abort, a rank that exits without MPI_Finalize.
expect_sudden_ends() {
  ends_badly --kill 2
  ends_badly --abort 1
  grep -q 'MPI_Abort(MPI_COMM_WORLD' "$out" || fail "the call that ended it is missing"
  run "$refrain" record -o "$base/traced.rfn" -- timeout -k 2 30 "$mpirun" -n 4 "$program" --exit 1
  expect_contains "$err" 'ended early'
  expect_equal "$(info "$ranks_recorded")" "['0..3']"
}

# A rank that never comes is not waited for: the others' trace is there as soon as the job is stopped.
expect_others_finalized() {
  run env REFRAIN_PATIENCE=1 "$refrain" record -o "$base/traced.rfn" -- \
    timeout -k 2 -s INT 6 "$mpirun" -n 3 "$program" --never-finalize 1
  expect_equal "$(info "$ranks_recorded")" "['0..2']"
  run "$refrain" dump --expand --no-times --rank 0 "$base/traced.rfn"
  expect_contains "$out" 'MPI_Finalize()'
  run "$refrain" dump --expand --no-times --rank 1 "$base/traced.rfn"
  expect_lacks "$out" 'MPI_Finalize()'
  rm -rf "$base/traced.rfn.parts"  # kept if ranks were still alive when the launcher was gone
}

# Calls after the end of MPI are part of the trace, in place or not.
expect_calls_after_finalize() {
  local place
  for place in auto never; do
    rm -rf "${work:?}"/*
    run env REFRAIN_IN_PLACE=$place "$refrain" record -q -o "$base/$place.rfn" -- \
      "$mpirun" -n 4 "$program" --io-after-finalize
    expect_code 0
    run "$refrain" dump --expand --no-times --rank 3 "$base/$place.rfn"
    sed -n '/MPI_Finalize()/,$p' "$out" >"$base/$place.after"
    expect_matches "$base/$place.after" 'open\('
  done
  expect_same "$base/never.after" "$base/auto.after"
  run "$refrain" diff "$base/never.rfn" "$base/auto.rfn"
  expect_code 0
}

# Rank 1 is not recorded: nobody hangs, and what there is can be merged.
expect_some_recorded() {
  cat >"$base/some" <<SCRIPT
#!/bin/sh
[ "\$$rank_variable" = 1 ] && exec "$program"
exec "$refrain" record -q -o "$base/some.rfn" -- "$program"
SCRIPT
  chmod +x "$base/some"
  run timeout -k 5 60 "$mpirun" -n 3 "$base/some"
  expect_code 0
  expect_contains "$err" 'not being recorded'
  run "$refrain" merge -q "$base/some.rfn.parts" -o "$base/traced.rfn"
  expect_code 0
  expect_equal "$(info "$ranks_recorded")" "['0..2 step 2']"
}
