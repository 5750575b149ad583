# What came with HDF5 1.12 and 1.14: references, tokens, several datasets at once, event sets. Two recordings are equal,
# and so are those of the kernel and of a replay; the kernel says which version it needs.
source "$(dirname "$0")/lib.sh"
need make cc "$programs/h5_later"
run "$programs/h5_later"
[ "$code" -ne 77 ] || { echo "skipped: HDF5 is older than 1.12"; exit 77; }
expect_code 0

mkdir "$base/one" "$base/two"
for folder in one two; do
  cd "$base/$folder"
  run "$refrain" record -q -o "$base/$folder.rfn" -- "$programs/h5_later"
  expect_code 0
done
cd "$work"
run "$refrain" diff "$base/one.rfn" "$base/two.rfn"
expect_code 0
run "$refrain" dump --expand --no-times "$base/one.rfn"
while read -r line; do expect_contains "$out" "  $line"; done <<'END'
H5Dwrite_multi([3 x dataset], [0, 1, 2], [2 x H5T_NATIVE_INT, type], [0], [2 x H5S_ALL, space], [0], [2 x H5S_ALL, space], [1], H5P_DEFAULT, data 320, [32, 256, 64])
H5ESwait(object1, -1, data, data)
END

run "$refrain" generate -q "$base/one.rfn" -o kernel
expect_code 0
expect_matches kernel/h5_later.c '^#error "H5[A-Za-z_]+ came with HDF5 1\.1[24]: this kernel needs that version or a later one"$'
expect_matches kernel/README.md '^It needs HDF5 1\.1[24] or later'
run make -C kernel
expect_code 0
expect_lacks "$err" warning
run "$refrain" record -q -o kernel.rfn -- kernel/h5_later --root below
expect_code 0
run "$refrain" diff --root below "$base/one.rfn" kernel.rfn
expect_code 0
run "$refrain" record -q -o replay.rfn -- "$refrain" replay "$base/one.rfn" --root replayed
expect_code 0
run "$refrain" diff --root replayed "$base/one.rfn" replay.rfn
expect_code 0
