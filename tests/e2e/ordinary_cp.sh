# cp, of one file and of a tree.
source "$(dirname "$0")/lib.sh"
prepare() {
  mkdir -p tree/a/b
  head -c 3000000 /dev/zero >big.bin
  for i in 1 2 3 4 5; do echo "file $i" >tree/a/b/$i.txt; done
}
expect_transparent cp big.bin copy.bin
expect_transparent cp -r tree other
expect_transparent cp missing elsewhere
