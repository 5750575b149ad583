# The application comes first: programs that give up their rights run as ever under the recorder, which then goes on with
# what is left, or says what is missing.
source "$(dirname "$0")/lib.sh"

# The calls of write.
recorded() { "$refrain" dump --expand --no-times "$base/traced.rfn" | grep -cE '^ +write\(' || true; }

# all CALLS MODE...  Every call is in the trace.
all() {
  local calls=$1
  shift
  run_both "$programs/confined" "$@"
  expect_code 0
  expect_equal "$(recorded)" "$calls"
  expect_equal "$(info "$calls_lost") $(info 'trace["complete"]')" "0 True"
}

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && setpriv --reuid=65534 true 2>/dev/null; then
  for how in '' irregular; do
    all 80000 chroot 40000 $how
    all 80000 setuid 40000 $how
    all 40000 seteuid 40000 $how
  done
  run_both "$programs/confined" setuid 100
  expect_equal "$(info '{p["program"].split("/")[-1] for p in trace["processes"]}')" "{'confined'}"
  # Nobody else sees what the parts hold.
  run "$refrain" record -q --keep-parts -o kept.rfn -- "$programs/confined" setuid 100
  expect_code 0
  expect_equal "$(stat -c %a kept.rfn.parts/*.part | sort -u)" 600
  expect_equal "$(stat -c %a kept.rfn.parts)" 1733
else
  echo "not tested: chroot and setuid, which need privileges"
fi

# Where the recorder may not call the kernel, it has what it set aside: enough for calls that fold, and for a while for
# others; those beyond are counted.
all 300000 filter 300000
all 1000000 filter 1000000 irregular
run_both "$programs/confined" seek 1000000
expect_code 0
lost=$(info "$calls_lost")
[ "$lost" -gt 0 ] || fail "nothing was lost; the test must make more calls"
seeks=$("$refrain" dump --expand --no-times "$base/traced.rfn" | grep -cE '^ +lseek\(')
expect_equal $((seeks + lost)) 1000000
expect_equal "$(info 'trace["complete"]')" False

# In strict mode not even the clock may be read: what comes before is kept, what comes after is counted.
run_both "$programs/confined" strict 3000
expect_code 0
expect_equal "$(recorded) $(info "$calls_lost") $(info 'trace["complete"]')" '1500 1500 False'

# A program that starts with such a filter is left alone, and the trace says so.
run_both "$programs/confined" inherit 100
expect_code 0
expect_equal "$(info 'trace["complete"]')" False
expect_contains "$base/info.json" 'calls are missing: 1 process or thread could not be recorded: EPERM'

# So is one that may not make files of the size that recording takes: they would be its end.
for blocks in 1 100; do
  run_both bash -c "ulimit -f $blocks; echo text >written; cat written"
  expect_code 0
  expect_equal "$(info 'trace["complete"]')" False
done
