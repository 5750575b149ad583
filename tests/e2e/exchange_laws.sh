# A recorded run in other forms: bytes and operations per file and rank are the trace's in CODES' language, in the C
# library and in CODES' workload method, which is compiled against a stub of CODES; tables lead back to an equal trace.
source "$(dirname "$0")/lib.sh"
need mpirun cc python3 "$programs/mpi_transfers"
need_layer mpiio

prepare_box
run "$refrain" record -q -o "$base/app.rfn" -- mpirun -n 4 "$programs/mpi_transfers"
expect_code 0
cd "$work"
trace=$base/app.rfn

# What the trace says, from its tables: "rank kind path size offset".
"$refrain" export --to csv "$trace" -o tables -q 2>/dev/null
python3 - >expected <<'PYTHON'
import csv
paths = {f["file"]: f["path"] for f in csv.DictReader(open("tables/files.csv"))}
for call in csv.DictReader(open("tables/calls.csv")):
    kind = "write" if call["bytes_written"] else "read" if call["bytes_read"] else None
    if kind: print(call["rank"], kind, paths[call["file"]], call["bytes_read"] or call["bytes_written"], call["offset"])
PYTHON
# By system calls 6 + 6 + 6, through MPI-IO 6 + 6 of each of four ranks.
expect_lines expected 120
expect_equal "$(awk '$1 == 2 && $2 == "write" && $3 == "own.2" { n += $4 } END { print n }' expected)" $((6 * 4096 + 600))
expect_contains expected '3 write shared 4096 12288'

run "$refrain" export --to codes "$trace" -o codes
expect_code 0
python3 "$(dirname "$0")/iolang.py" codes 4 >operations
# Numbers of files are those of files.txt.
awk 'NR == FNR { path[$1] = $2; next } $2 == "write" || $2 == "read" { print $1, $2, path[$3], $4, $5 }' \
  codes/files.txt operations >in_codes
expect_same expected in_codes
expect_equal "$(grep -c '^0 open' operations)" "$(grep -c '^0 close' operations)"
expect_equal "$(grep -c barrier operations)" 4

run "$refrain" export --to codes "$trace" --max-block 1000 -o split
expect_code 0
python3 "$(dirname "$0")/iolang.py" split 4 >pieces
expect_equal "$(awk '{ n += $4 } END { print n }' pieces)" "$(awk '{ n += $4 } END { print n }' operations)"
expect_equal "$(awk '$4 > 1000' pieces | wc -l)" 0
# The C library: only its functions are visible, and its operations are those in the files.
library=$build/lib/librefrain-trace.so
expect_file "$library"
nm -D --defined-only "$library" | awk '$2 ~ /[TDBRWV]/ { sub(/@.*/, "", $3); print $3 }' | grep -v '^REFRAIN' | sort >symbols
sed -nE 's/^[a-z].*[ *](refrain_[a-z_]+)\(.*/\1/p' "$source_tree/src/c_api/refrain.h" | sort >declared
expect_same declared symbols
cat >walk.c <<'C'
#include <refrain.h>
#include <stdio.h>
int main(int argc, char** argv) {
  static const char* kinds[] = {"end", "pause", "open", "close", "read", "write", "barrier"};
  refrain_trace* trace = refrain_open(argv[1], 0);
  if (!trace) return fprintf(stderr, "%s\n", refrain_error()), argc;
  for (uint64_t r = 0; r < refrain_ranks(trace); ++r) {
    struct refrain_operation o;
    refrain_rank* rank = refrain_rank_open(trace, r, NULL, 0);
    while (refrain_next(rank, &o) == 1)
      if (o.kind != REFRAIN_PAUSE)
        printf("%d %s %llu %llu %lld\n", (int)r, kinds[o.kind], (unsigned long long)o.file,
               (unsigned long long)o.bytes, (long long)o.offset);
    if (refrain_next(rank, &o) != 0) return 1;
    refrain_rank_close(rank);
  }
  if (refrain_rank_open(trace, 4, NULL, 0) || refrain_rank_open(trace, 0, "nonsense", 0)) return 1;
  fprintf(stderr, "%s\n", refrain_error());
  refrain_close(trace);
  return 0;
}
C
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I "$source_tree/src/c_api" walk.c "$library" -Wl,-rpath,"$build/lib" -o walk
run ./walk "$trace"
expect_code 0
cp "$out" in_c
expect_same operations in_c
expect_contains "$err" "there is no layer 'nonsense'"
run ./walk missing.rfn
expect_contains "$err" 'missing.rfn: '

# CODES' own interface, as far as a workload method sees it.
mkdir -p stub/codes
cat >stub/ross.h <<'C'
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
C
cat >stub/codes/codes-workload.h <<'C'
#include <ross.h>
#define MAX_NAME_LENGTH_WKLD 512
typedef struct config ConfigHandle;
int configuration_get_value(ConfigHandle*, const char*, const char*, const char*, char*, size_t);
int configuration_get_value_relpath(ConfigHandle*, const char*, const char*, const char*, char*, size_t);
enum codes_workload_op_type { CODES_WK_END = 1, CODES_WK_DELAY, CODES_WK_BARRIER, CODES_WK_OPEN, CODES_WK_CLOSE,
  CODES_WK_WRITE, CODES_WK_READ };
struct codes_workload_op {
  enum codes_workload_op_type op_type;
  double start_time, end_time, sim_start_time;
  int64_t sequence_id;
  union {
    struct { double seconds, nsecs; } delay;
    struct { int count, root; } barrier;
    struct { uint64_t file_id; int create_flag; } open;
    struct { uint64_t file_id; off_t offset; size_t size; } write;
    struct { uint64_t file_id; off_t offset; size_t size; } read;
    struct { uint64_t file_id; } close;
  } u;
};
struct codes_workload_method {
  char* method_name;
  void* (*codes_workload_read_config)(ConfigHandle*, char const*, char const*, int);
  int (*codes_workload_load)(const void*, int, int);
  void (*codes_workload_get_next)(int, int, struct codes_workload_op*);
  void (*codes_workload_get_next_rc2)(int, int);
  int (*codes_workload_get_rank_cnt)(const char*, int);
  int (*codes_workload_finalize)(const char*, int, int);
  int (*codes_workload_get_time)(const char*, int, int, double*, double*, int64_t*, int64_t*);
  int (*codes_workload_get_final_iteration)(int, int);
};
void codes_workload_add_method(struct codes_workload_method const*);
C
cat >model.c <<'C'
#include <codes/codes-workload.h>
#include <string.h>
static struct codes_workload_method const* method;
static const char* trace;
void codes_workload_add_method(struct codes_workload_method const* m) { method = m; }
int configuration_get_value(ConfigHandle* h, const char* s, const char* k, const char* a, char* to, size_t n) {
  (void)h, (void)s, (void)k, (void)a, (void)to, (void)n;
  return 0;
}
int configuration_get_value_relpath(ConfigHandle* h, const char* s, const char* k, const char* a, char* to, size_t n) {
  (void)h, (void)s, (void)a;
  return strcmp(k, "trace") == 0 ? snprintf(to, n, "%s", trace) : 0;
}
int main(int argc, char** argv) {
  (void)argc;
  trace = argv[1];
  void* params = method->codes_workload_read_config(NULL, "refrain", "", 4);
  int ranks = method->codes_workload_get_rank_cnt(params, 0);
  for (int r = ranks - 1; r >= 0; --r)
    if (method->codes_workload_load(params, 0, r) != 0) return 1;
  if (method->codes_workload_load(params, 0, ranks) == 0) return 1;
  for (int r = 0; r < ranks; ++r) {
    struct codes_workload_op op;
    for (method->codes_workload_get_next(0, r, &op); op.op_type != CODES_WK_END;
         method->codes_workload_get_next(0, r, &op)) {
      if (op.op_type == CODES_WK_OPEN) printf("%d open %llu 0 0\n", r, (unsigned long long)op.u.open.file_id);
      if (op.op_type == CODES_WK_CLOSE) printf("%d close %llu 0 0\n", r, (unsigned long long)op.u.close.file_id);
      if (op.op_type == CODES_WK_BARRIER) printf("%d barrier 0 0 0\n", r);
      if (op.op_type == CODES_WK_WRITE || op.op_type == CODES_WK_READ)
        printf("%d %s %llu %zu %lld\n", r, op.op_type == CODES_WK_READ ? "read" : "write",
               (unsigned long long)op.u.write.file_id, op.u.write.size, (long long)op.u.write.offset);
    }
    method->codes_workload_get_next(0, r, &op);
    if (op.op_type != CODES_WK_END) return 1;
  }
  return 0;
}
C
cc -std=gnu11 -Wall -Wextra -Werror -I stub -I "$source_tree/src/c_api" "$source_tree/share/codes/codes-refrain-wrkld.c" model.c \
  "$library" -Wl,-rpath,"$build/lib" -o model
run ./model "$trace"
expect_code 0
expect_same operations "$out"

# Tables lead back to the same calls, merged over the ranks, on every layer.
rm -rf tables
"$refrain" export --to csv "$trace" --layer-streams -o tables -q 2>/dev/null
run "$refrain" import --from csv tables -o back.rfn
expect_code 0
run "$refrain" diff "$trace" back.rfn
expect_code 0
run "$refrain" diff --counters --all "$trace" back.rfn
expect_code 0

# The timeline has every call once, in the track of its layer and rank.
run "$refrain" export --to perfetto "$trace" -o timeline.json
expect_code 0
python3 - <<'PYTHON'
import csv, json
from collections import Counter
calls = list(csv.DictReader(open("tables/calls.csv")))
own = {c["stream"] for c in calls} - {""}
expected = Counter((int(c["rank"]), c["layer"], c["function"]) for c in calls
                   if c["stream"] or not (c["layer"] in own or c["layer"] == "mpi" and "mpiio" in own))
events = json.load(open("timeline.json"))["traceEvents"]
tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
found = Counter((e["pid"], e["cat"], e["name"]) for e in events if e["ph"] == "X")
assert found == expected, (found - expected, expected - found)
assert all(tracks[e["pid"], e["tid"]] == e["cat"] for e in events if e["ph"] == "X")
PYTHON

# Nearest benchmark, and counters as Darshan prints them.
run "$refrain" export --to ior "$trace" -o -
expect_code 0
expect_matches "$out" '^mpirun -n 4 ior -a MPIIO -w -r -t 4096 -b 4096 -s [0-9]+ -o .shared.$'
run "$refrain" export --to h5bench "$trace" -o -
expect_refused
if [ -x "$examples/vpicio" ]; then # which h5bench's own kernel is like
  run "$refrain" record -q -o vpicio.rfn -- mpirun -n 4 "$examples/vpicio"
  expect_code 0
  run "$refrain" export --to h5bench vpicio.rfn -o h5bench.json
  expect_code 0
  expect_contains "$err" 'wrote h5bench.json: 1 benchmark for 4 ranks'
  expect_equal "$(json h5bench.json 'data["mpi"]["ranks"], [b["benchmark"] for b in data["benchmarks"]]')" "('4', ['write'])"
  expect_equal "$(json h5bench.json '[data["benchmarks"][0]["configuration"][k] for k in ("TIMESTEPS", "DIM_1", "COLLECTIVE_DATA")]')" \
    "['4', '8192', 'YES']"
  expect_equal "$(json h5bench.json '"particles" in str(data["refrain"]["not-expressed"])')" True
fi
run "$refrain" export --to darshan-parser "$trace" -o counters
expect_code 0
expect_matches counters $'^MPI-IO\t-1\t[0-9]+\tMPIIO_INDEP_WRITES\t24\t/.*/shared\tUNKNOWN\tUNKNOWN$'
expect_matches counters $'^MPI-IO\t-1\t[0-9]+\tMPIIO_BYTES_READ\t49152\t'
expect_matches counters $'^POSIX\t2\t[0-9]+\tPOSIX_BYTES_WRITTEN\t25176\t/.*/own.2\t'
expect_matches counters $'^POSIX\t2\t[0-9]+\tPOSIX_SIZE_WRITE_0_100\t6\t'

# What Darshan recorded of the same program (tests/data/exchange): imported, it has the transfers of this trace, for
# system calls and for MPI-IO, and its counters are those of the export.
data=$source_tree/tests/data/exchange
run "$refrain" import --from dxt "$data/counters.txt" "$data/dxt.txt" -o dxt.rfn
expect_code 0
expect_contains "$err" 'opens and closes are made up'
# transfers TRACE  "rank layer file kind size offset" of the program's own calls.
transfers() {
  rm -rf tables
  "$refrain" export --to csv "$1" -o tables -q 2>/dev/null
  python3 - <<'PYTHON'
import csv, os
paths = {f["file"]: os.path.basename(f["path"]) for f in csv.DictReader(open("tables/files.csv"))}
for c in csv.DictReader(open("tables/calls.csv")):
    if c["bytes_read"] or c["bytes_written"]:
        kind = "read" if c["bytes_read"] else "write"
        print(c["rank"], c["layer"], paths[c["file"]], kind, c["bytes_read"] or c["bytes_written"], c["offset"])
PYTHON
}
transfers "$trace" >recorded
transfers dxt.rfn >imported
expect_lines imported 120
expect_same recorded imported
python3 - "$data/counters.txt" counters <<'PYTHON'
import os, sys
def read(name):
    lines = (line.rstrip("\n").split("\t") for line in open(name) if line[0] not in "#\n")
    return {(l[0], l[1], os.path.basename(l[5]), l[3]): l[4] for l in lines}
there, here = map(read, sys.argv[1:])
checked = 0
for key, value in there.items():
    # What MPI-IO does below is its own business, and may differ from run to run.
    if key[2].startswith("own.") or key[0] == "MPI-IO":
        assert here.get(key) in (value, "-1"), (key, value, here.get(key))
        checked += here[key] == value
assert checked > 40, checked
PYTHON

# Recorder saw the same, in its version 2 and in its version 3.
for version in recorder recorder3; do
  run "$refrain" import --from recorder "$data/$version"/*.txt -o "$version.rfn"
  expect_code 0
  transfers "$version.rfn" >imported
  expect_same recorded imported
done

# It is a trace like any other: folded, merged, and played again with the same transfers.
run "$refrain" info dxt.rfn
expect_code 0
mkdir root
# DXT knows no barriers: the first time, a rank may read what another has not written yet.
run mpirun -n 4 "$refrain" replay -q --root root dxt.rfn
run "$refrain" record -q -o again.rfn -- mpirun -n 4 "$refrain" replay -q --root root dxt.rfn
expect_code 0
transfers again.rfn >again
expect_same recorded again

# Kernels, jobs, reports and advice come from imports as well.
for from in dxt recorder recorder3; do
  run "$refrain" generate -q "$from.rfn" -o "kernel_$from"
  expect_code 0
  run make -s -C "kernel_$from"
  expect_code 0
  kernel=$(ls kernel_"$from"/*.c)
  run mpirun -n 4 "${kernel%.c}" --root "run_$from" --prepare # without barriers, as above
  run "$refrain" record -q -o kernel.rfn -- mpirun -n 4 "${kernel%.c}" --root "run_$from" --prepare
  expect_code 0
  transfers kernel.rfn >made
  expect_same recorded made
  run "$refrain" jobs "$from.rfn" -o jobs.json --bandwidth 1e9
  expect_code 0
  run "$refrain" schedule simulate jobs.json
  expect_code 0
  run "$refrain" advise "$from.rfn"
  expect_code 0
  if "$refrain" report --help >/dev/null 2>&1; then
    run "$refrain" report -q "$from.rfn" -o "$from.html"
    expect_code 0
    expect_contains "$from.html" heat
  fi
done

[ -x "$examples/jacobi" ] || exit 0

# Runs on several numbers of ranks, as tables, extrapolate as the recordings that they came from.
for ranks in 2 3 4 6; do
  run "$refrain" record -q -o "p$ranks.rfn" -- mpirun -n "$ranks" "$examples/jacobi"
  expect_code 0
  run "$refrain" export -q --to csv "p$ranks.rfn" -o "p$ranks.csv"
  expect_code 0
  run "$refrain" import -q --from csv "p$ranks.csv/calls.csv" -o "i$ranks.rfn"
  expect_code 0
done
run "$refrain" extrapolate -q i2.rfn i3.rfn i4.rfn -o any.rfn
expect_code 0
run "$refrain" diff --ranks 6 any.rfn p6.rfn
expect_code 0
