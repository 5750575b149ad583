# An application that closes all descriptors that it may have, after chroot, neither finds one of the recorder's nor takes
# it away.
source "$(dirname "$0")/lib.sh"
[ "$(id -u)" -eq 0 ] || { echo "skipped: chroot needs privileges"; exit 77; }

for how in '' irregular; do
  run_both "$programs/confined" closed 400000 $how
  expect_code 0
  expect_equal "$(info "$calls_lost") $(info 'trace["complete"]')" "0 True"
  expect_calls 400000 '^ +write\('
done
