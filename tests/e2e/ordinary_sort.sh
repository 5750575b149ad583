# sort, with a buffer so small that it spills into temporary files, and reading standard input.
source "$(dirname "$0")/lib.sh"
prepare() { seq 200000 | awk '{ print ($1 * 7919) % 200003, $1 }' >input.txt; mkdir spill; }
expect_transparent sort -n -S 1M -T spill -o sorted.txt input.txt
expect_transparent sort --parallel=2 -n input.txt
expect_transparent bash -c 'sort -u <input.txt | head -n 5'
