# What CODES itself makes of an export, and of the workload method in share/codes: operations and bytes of every rank and
# file are the trace's. CODES is found by REFRAIN_CODES, the folder it was installed to together with ROSS, or by its
# codes-workload-dump in PATH; exchange_laws.sh reads exports by CODES' grammar everywhere.
source "$(dirname "$0")/lib.sh"
codes=${REFRAIN_CODES:-}
dump=$(PATH=${codes:+$codes/bin:}$PATH command -v codes-workload-dump || true)
[ -n "$codes$dump" ] || { echo "skipped: there is no CODES (set REFRAIN_CODES to the folder it is installed in)"; exit 77; }
source "$source_tree/tests/e2e/lib_extrapolate.sh"
need python3 mpirun "$examples/iosample" "$examples/checkpoint"
need_layer mpiio

traces=("$golden/v9.rfn 0")
for program in iosample checkpoint; do
  runs=()
  for size in 5 8 9 24; do
    record_at $program $size
    runs+=($program.$size.rfn)
  done
  run "$refrain" extrapolate -q "${runs[@]}" -o $program.any.rfn
  expect_code 0
  for size in 5 64 513; do traces+=("$work/$program.any.rfn $size"); done
done

# exported RANKS TRACE OPTION...  Leaves the folder `workload`, and its operations as the grammar has them in `operations`.
exported() {
  rm -rf workload
  local of=()
  [ "$1" = 0 ] || of=(--ranks "$1")
  run "$refrain" export --to codes "$2" ${of[@]+"${of[@]}"} "${@:3}" -o workload
  expect_code 0
  ranks=$(find workload -name 'rank*.txt' | wc -l)
  python3 "$source_tree/tests/e2e/iolang.py" workload "$ranks" >operations
  # And these are the trace's.
  run "$refrain" info --json "$2" ${of[@]+"${of[@]}"}
  expect_equal "$(awk '{ bytes[$2] += $4 } END { print bytes["read"] + 0, bytes["write"] + 0 }' operations)" \
    "$(json "$out" 'data["outer"]["bytes_read"], data["outer"]["bytes_written"]' | tr -d '(,)')"
}

# totals FIRST COUNT  Of these ranks, as codes-workload-dump prints them.
totals() {
  awk -v first="$1" -v end="$(($1 + $2))" '$1 >= first && $1 < end { calls[$2]++; bytes[$2] += $4 } END {
    print "OPENS", calls["open"] + 0; print "CLOSES", calls["close"] + 0; print "BARRIERS", calls["barrier"] + 0
    print "READS", calls["read"] + 0; print "READ_SIZE", bytes["read"] + 0
    print "WRITES", calls["write"] + 0; print "WRITE_SIZE", bytes["write"] + 0 }' operations
}

dumped() {
  "$dump" --type iolang_workload --num-ranks "$2" --start-rank "$1" --i-meta workload/meta.txt --i-use-relpath -s 2>&1 |
    sed -nE 's/^(NUM_)?(OPENS|CLOSES|BARRIERS|READS|READ_SIZE|WRITES|WRITE_SIZE): +/\2 /p'
}

if [ -n "$dump" ]; then
  for one in "${traces[@]}"; do
    for split in '' '--max-block 1000'; do
      exported "${one#* }" "${one% *}" $split
      for share in "0 $ranks" "0 1" "$((ranks / 2)) 1" "$((ranks - 1)) 1"; do
        totals $share >there
        dumped $share >here
        expect_same there here
      done
    done
  done
fi

[ -n "$codes" ] || exit 0
need mpicc mpicxx
# As users compile it. CODES is C++ inside.
for file in codes-operations codes-refrain-wrkld; do
  mpicc -std=gnu11 -Wall -Wextra -Werror -I "$source_tree/src/c_api" -isystem "$codes/include" -isystem "$codes/include/ross" \
    -c "$source_tree/share/codes/$file.c"
done
mpicxx codes-operations.o codes-refrain-wrkld.o -L "$codes/lib" -lcodes -lROSS -lm -L "$build/lib" -lrefrain-trace \
  -Wl,-rpath,"$build/lib" -o codes-operations

# configuration NAME TYPE KEY VALUE [KEY VALUE]...
configuration() {
  printf 'PARAMS\n{\n  workload_type = "%s";\n' "$2" >"$1"
  printf '  %s = "%s";\n' "${@:3}" >>"$1"
  printf '}\n' >>"$1"
}

# Operation by operation: the files, as CODES reads them, the method, and what the grammar has.
for one in "${traces[@]}"; do
  for block in 0 1000; do
    exported "${one#* }" "${one% *}" --max-block "$block"
    cp "${one% *}" trace.rfn
    configuration files.conf iolang_workload io_kernel_meta_path workload/meta.txt
    configuration method.conf refrain trace trace.rfn max_block "$block"
    for kind in files method; do
      run ./codes-operations "$kind.conf" "$ranks"
      expect_code 0
      grep '^op:' "$out" >"$kind.txt" || true
    done
    expect_same files.txt method.txt
    sed -nE 's/^op: app:0 rank:([0-9]+) type:(open|close) file_id:([0-9]+).*/\1 \2 \3 0 0/p
      s/^op: app:0 rank:([0-9]+) type:barrier.*/\1 barrier 0 0 0/p
      s/^op: app:0 rank:([0-9]+) type:(read|write) file_id:([0-9]+) off:([0-9]+) size:([0-9]+)/\1 \2 \3 \5 \4/p' method.txt >here
    expect_same operations here
  done
done

# A million ranks need no files.
cp iosample.any.rfn trace.rfn
configuration method.conf refrain trace trace.rfn
./codes-operations method.conf 64 0 1 >method.one
run ./codes-operations method.conf 1000000 999999 1
expect_code 0
expect_equal "$(grep -c '^op: app:0 rank:999999 type:write' "$out")" "$(grep -c '^op: app:0 rank:0 type:write' method.one)"
