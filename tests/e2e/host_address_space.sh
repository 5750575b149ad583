# The recorder takes little address space, which may be limited (ulimit -v); docs/figures.md has the number.
source "$(dirname "$0")/lib.sh"

bound_kb=6500
size() { awk '{ print $2 }' "$out"; }
run grep VmSize /proc/self/status
plain=$(size)
run "$refrain" record -q -o traced.rfn -- grep VmSize /proc/self/status
expect_code 0
echo "$(($(size) - plain)) kB of address space"
[ $(($(size) - plain)) -lt $bound_kb ] || fail "the recorder took $(($(size) - plain)) kB"
