# tar, packing and unpacking, also through a compressor (another process behind a pipe).
source "$(dirname "$0")/lib.sh"
prepare() {
  mkdir tree
  for i in $(seq 60); do seq $((i * 40)) >"tree/part_$i.txt"; done
  find tree -exec touch -d 2020-01-01 {} +
  tar -cf ready.tar --sort=name tree
}
expect_transparent tar -cf packed.tar --sort=name tree
expect_transparent tar -xf ready.tar -C . --transform 's,^tree,again,'
expect_transparent tar -czf packed.tar.gz --sort=name tree
