# Replays of jobs that were killed: what was recorded is done again, and where some ranks would wait for ever for others
# that ended early, the replay says so and ends.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_endings" "$programs/mpi_left_behind"

# killed PROGRAM...  Records a program on three ranks that doesn't end well.
killed() {
  rm -rf "${work:?}"/*
  run "$refrain" record -q -o "$base/killed.rfn" -- timeout -k 2 10 mpirun -n 3 "$@" </dev/null
  [ "$code" -ne 0 ] || fail "the program ended well"
  run "$refrain" dump --no-times "$base/killed.rfn"
  expect_contains "$out" 'early'
}

# On a busy machine the rank may end while another one is still inside the barrier before, which that one then never
# finished: its replay waits, and says so. Such a recording is made again.
for how in --kill --exit --abort; do
  for try in 1 2 3; do
    killed "$programs/mpi_endings" "$how" 1
    run_bounded -r "$base/$how" mpirun -n 3 "$refrain" replay -q --root "$base/$how" "$base/killed.rfn"
    grep -q 'MPI_Barrier has not come back' "$err" || break
  done
  if [ "$how" = --abort ]; then expect_code 5; else expect_code 0; fi
  expect_equal "$(stat -c %s "$base/$how/blocks")" 30000
done

killed "$programs/mpi_left_behind"
run_bounded -r "$base/left" mpirun -n 3 "$refrain" replay -q --patience 1 --root "$base/left" "$base/killed.rfn"
expect_code 1
expect_matches "$err" '^refrain: rank [02]: MPI_Barrier has not come back for 1 s\. It may be waiting for others, and ranks [0-9., ]+ ended early in the recorded program; the replay ends here$'
expect_equal "$(stat -c %s "$base/left"/part_? | tr '\n' ' ')" "32 32 32 "
