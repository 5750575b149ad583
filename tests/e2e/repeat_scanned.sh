# Inputs that are read by fscanf: --prepare makes them so that as many words are read of them again.
source "$(dirname "$0")/lib.sh"
need make cc "$programs/scanned"

"$programs/scanned" make
run "$refrain" record -q -o "$base/app.rfn" -- "$programs/scanned"
expect_code 0

run "$refrain" generate -q "$base/app.rfn" -o kernel
expect_code 0
run make -s -C kernel CFLAGS="-O2 -Wall -Wextra -Wpedantic -Werror"
expect_code 0
run "$refrain" record -q -o kernel.rfn -- kernel/scanned --root below --prepare
expect_code 0
expect_empty "$err"
run "$refrain" diff --root below "$base/app.rfn" kernel.rfn
expect_code 0

run "$refrain" record -q -o again.rfn -- "$refrain" replay -q --root again --prepare "$base/app.rfn"
expect_code 0
run "$refrain" diff --root again "$base/app.rfn" again.rfn
expect_code 0
