# A C++ program that uses nothing but streams.
source "$(dirname "$0")/lib.sh"
expect_transparent "$programs/iostreams"
run "$refrain" dump --expand --no-times "$base/traced.rfn"
expect_contains "$out" 'numbers.txt'
expect_contains "$out" 'blocks.bin'
