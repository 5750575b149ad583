# Ranks hand files of netCDF and PnetCDF on by messages: kernels and replays, which repeat no messages, open them when
# they are complete, and write them in the recorded order.
source "$(dirname "$0")/lib.sh"
need mpirun make "$programs/netcdf_handed_on" "$programs/pnetcdf_handed_on"
need_layer netcdf
need_layer pnetcdf

# expect_handed_on PROGRAM [ARGUMENT]
expect_handed_on() {
  rm -rf original kernel kernel_[123] replay_[123]
  mkdir original
  (cd original && "$refrain" record -q -o ../trace.rfn -- mpirun -n 4 "$programs/$1" ${2:+"$2"} </dev/null)
  run "$refrain" generate -q trace.rfn -o kernel
  expect_code 0
  expect_empty "$err"
  make -s -C kernel CFLAGS='-O1 -Wall -Wextra -Wpedantic -Werror' >"$out" 2>&1 || fail "the kernel can't be built"
  for turn in 1 2 3; do
    expect_repeated 4 "$1" "$turn"
    for folder in "kernel_$turn" "replay_$turn"; do
      expect_equal "$(cd "$folder" && find . -type f -printf '%p %s\n' | sort)" \
        "$(cd original && find . -type f -printf '%p %s\n' | sort)"
    done
  done
}

expect_handed_on netcdf_handed_on
head -c 240 original/handed/on.nc >header
for folder in kernel_1 replay_1; do expect_same header <(head -c 240 "$folder/handed/on.nc"); done
expect_handed_on netcdf_handed_on 4
expect_handed_on pnetcdf_handed_on
