# A Fortran program, whose run-time library has buffers of its own.
source "$(dirname "$0")/lib.sh"
[ -x "$programs/fortran_io" ] || { echo "skipped: there is no Fortran compiler"; exit 77; }
expect_transparent "$programs/fortran_io"
run "$refrain" dump --expand --no-times "$base/traced.rfn"
expect_contains "$out" 'table.txt'
expect_contains "$out" 'records.dat'
