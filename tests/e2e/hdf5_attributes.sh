# --keep-attributes: what small attributes are written with is part of the trace, printed and compared; without it,
# only their sizes are.
source "$(dirname "$0")/lib.sh"
need "$programs/h5_attributes"

record() {
  prepare_box
  run "$refrain" record -q -o "$base/$1.rfn" "${@:2}"
  expect_code 0
  cd "$work"
}

record without -- "$programs/h5_attributes"
run "$refrain" dump --no-times "$base/without.rfn"
expect_lacks "$out" 'hex:'
expect_lacks "$out" 'text:'

record with --keep-attributes -- "$programs/h5_attributes"
expect_sound "$base/with.rfn"
run "$refrain" dump --expand --no-times "$base/with.rfn"
while read -r line; do expect_contains "$out" "H5Awrite(attribute0, $line"; done <<'END'
H5T_NATIVE_INT, data 4, "hex:64000000")
H5T_NATIVE_INT, data 4, "hex:68000000")
type0, data 16, "text:meters")
type0, data 16, "text:a\"b\\c\n")
H5T_NATIVE_DOUBLE, data 320)
END
expect_matches "$out" 'H5Awrite\(attribute0, type0, data [0-9]+, \[[0-9]+\]\)$'  # of variable length: how long it is

# Another value is another call.
record same --keep-attributes -- "$programs/h5_attributes" meters
run "$refrain" diff "$base/with.rfn" "$base/same.rfn"
expect_code 0
record other --keep-attributes -- "$programs/h5_attributes" miles
run "$refrain" diff "$base/with.rfn" "$base/other.rfn"
expect_code 1
expect_contains "$out" '"text:meters" here, "text:miles" there'
