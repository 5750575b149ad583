# The recorder's memory is bounded, however long a program goes on and however irregular its calls are: what can't be
# folded goes to the part on disk. And nothing of it is lost. `refrain record` itself takes a few bytes per call.
source "$(dirname "$0")/lib.sh"

bound_kb=26000  # 1,500 of them are tables of functions
tool_bound_kb=115000  # 162,000 for 800,000 calls, when all values were kept in 16 bytes each
"$programs/irregular" 1000
plain=$(cat peak)
for calls in 100000 800000; do
  run /usr/bin/python3 -c 'import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)' "$refrain" record -o irregular.rfn -- "$programs/irregular" $calls
  expect_code 0
  tool=$(tail -n 1 "$out")
  echo "refrain record: $tool kB"
  [ "$tool" -lt $tool_bound_kb ] || fail "refrain record took $tool kB"
  traced=$(cat peak)
  echo "$calls calls: $((traced - plain)) kB of memory, $(stat -c %s irregular.rfn) bytes of trace"
  [ $((traced - plain)) -lt $bound_kb ] || fail "the recorder took $((traced - plain)) kB"
  run "$refrain" info --json irregular.rfn
  counted=$(/usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["outer"]["calls"])' <"$out")
  [ "$counted" -ge "$calls" ] || fail "$counted of $calls calls are in the trace"
done
