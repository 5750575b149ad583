# Examples, recorded at a few numbers of ranks and extrapolated: at many ranks the simulation has the bytes and calls of
# the trace, groups of ranks take about as long as ranks one by one, and steady loops as long as all their turns.
source "$(dirname "$0")/lib.sh"
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need mpirun python3

json() { python3 -c 'import json, sys
data = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$1" "$2"; }

# simulated FILE ARGUMENT...
simulated() {
  run "$refrain" simulate "${@:2}" --machine cluster --json
  if [ "$code" -eq 2 ] && grep -q 'without SimGrid' "$err"; then echo "skipped: no SimGrid"; exit 77; fi
  expect_code 0
  cp "$out" "$1"
}

for program in iosample checkpoint jacobi vpicio; do
  [ -x "$examples/$program" ] || { echo "left out: $program was not built"; continue; }
  runs=()
  for ranks in 5 8 9 24; do
    record_at $program $ranks
    runs+=($program.$ranks.rfn)
  done
  run "$refrain" extrapolate -q "${runs[@]}" -o $program.any.rfn
  expect_code 0
  for ranks in 8 1024; do
    run "$refrain" info --json --ranks $ranks $program.any.rfn
    expect_code 0
    cp "$out" info.json
    for think in recorded none; do
      simulated groups.json $program.any.rfn --ranks $ranks --think $think
      for total in bytes_read bytes_written; do
        expect_equal "$(json groups.json "data['applications'][0]['$total']")" "$(json info.json "data['outer']['$total']")"
      done
    done
  done
  # What was recorded below MPI-IO and HDF5, of the largest run.
  run "$refrain" info --json $program.24.rfn
  expect_code 0
  cp "$out" info.json
  if [ "$(json info.json "'posix' in data['layer_streams']")" = True ]; then
    simulated posix.json $program.24.rfn --layer posix
    for total in bytes_read bytes_written; do
      expect_equal "$(json posix.json "data['applications'][0]['$total']")" \
        "$(json info.json "data['layer_streams']['posix']['$total']")"
    done
  fi
  # Many ranks cost what their groups cost; docs/simulate.md has the times.
  simulated many.json $program.any.rfn --ranks 65536
  expect_equal "$(json many.json "data['applications'][0]['ranks']")" 65536
  groups=$(json many.json "data['applications'][0]['groups']")
  [ "$groups" -le 16 ] || fail "$program: $groups groups of 65,536 ranks"
  simulated detail.json $program.any.rfn --ranks 4096 --detail rank
  expect_equal "$(json detail.json "data['applications'][0]['groups']")" 4096
  simulated groups.json $program.any.rfn --ranks 64
  simulated turns.json $program.any.rfn --ranks 64 --every-turn
  simulated ranks.json $program.any.rfn --ranks 64 --detail rank
  for other in turns ranks; do
    ratio=$(python3 -c 'import json, sys
a, b = (json.load(open(f))["makespan"] for f in sys.argv[1:])
print(a / b)' $other.json groups.json)
    python3 -c 'import sys; sys.exit(not 0.9 < float(sys.argv[1]) < 1.1)' "$ratio" ||
      fail "$program: $other take $ratio times as long as groups"
  done
done

# Every form in which PnetCDF moves data: several variables at once, lists of pieces, datatypes of MPI.
if [ -x "$programs/every_pnetcdf" ]; then
  prepare_box
  run "$refrain" record -q -o "$work/every.rfn" -- mpirun -n 2 "$programs/every_pnetcdf"
  expect_code 0
  cd "$work"
  simulated every.json every.rfn
  run "$refrain" info --json every.rfn
  expect_code 0
  cp "$out" info.json
  moved='{f["function"]: (f["bytes_read"], f["bytes_written"]) for f in FUNCTIONS if f["bytes_read"] + f["bytes_written"]}'
  simulated_forms=$(json every.json "${moved/FUNCTIONS/data[\"applications\"][0][\"functions\"]}")
  expect_equal "$simulated_forms" "$(json info.json "dict(sorted(${moved/FUNCTIONS/data[\"outer\"][\"functions\"]}.items()))")"
  for form in mput_vara_int_all mget_varm_double_all put_vard_all get_vard_all put_varn_float_all; do
    case $simulated_forms in *"'ncmpi_$form'"*) ;; *) fail "no $form among the simulated calls" ;; esac
  done
fi
