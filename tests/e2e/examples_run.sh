# The parallel example applications work, before anything is recorded: on 1, 3 and 4 ranks, with files of the sizes
# that their options say.
source "$(dirname "$0")/lib.sh"
need mpirun h5dump

# runs RANKS EXAMPLE [OPTION...]  In a fresh folder, silently but for one line of result.
runs() {
  [ -x "$examples/$2" ] || { echo "left out: $2 was not built"; return 1; }
  rm -rf "$work"/*
  run mpi "$1" "$examples/$2" "${@:3}"
  expect_code 0
  expect_empty "$err"
  expect_lines "$out" 1
}
size() { stat -c %s "$1"; }
# expect_dataset FILE NAME SHAPE
expect_dataset() {
  run h5dump -H -d "$2" "$1"
  expect_code 0
  expect_contains "$out" "DATASPACE  SIMPLE { ( $3 ) /"
}

for ranks in 1 3 4; do
  if runs $ranks vpicio --particles 1000 --steps 2; then
    expect_dataset vpic.h5part "Step#1/uz" $((1000 * ranks))
    run h5dump -d "Step#1/id" -s $((1000 * ranks - 1)) -c 1 vpic.h5part
    expect_contains "$out" "($((1000 * ranks - 1))): $((1000 * ranks - 1))"
  fi
  if runs $ranks vpicio --collective 0; then expect_dataset vpic.h5part "Step#3/x" $((8192 * ranks)); fi
  if runs $ranks vorpalio --edge 4 --dims ${ranks}x1x1; then
    expect_dataset vorpal.h5 "Step#2/Block/B/2" "$((4 * ranks)), 4, 4"
  fi
  for cyclic in 0 1; do
    if runs $ranks gcrmio --cyclic $cyclic --resolution 3 --subdomain 1 --layers 5; then
      expect_dataset gcrm.h5 "Step#0/vorticity" "$((2 * 642)), 5"
      expect_dataset gcrm.h5 "Step#2/pressure" "642, 6"
    fi
  done
  if runs $ranks iosample --iterations 2 --bytes 100 --edge 8; then
    expect_equal "$(size iosample_posix.00000)" 200
    expect_equal "$(size iosample_shared)" $((2 * 2 * 8 * 8 * 8 * ranks))
    expect_equal "$(size "iosample_self.0000$((ranks - 1))")" 600
  fi
  if runs $ranks jacobi --edge 8 --iterations 7 --interval 2; then
    expect_equal "$(size jacobi.dat)" $((3 * 8 * 8 * 8 * ranks))
  fi
  if runs $ranks fortran_mpiio --rows 5 --columns 3 --rounds 2; then
    expect_equal "$(size fortran_mpiio.dat)" $(((2 * 5 * 3 * 8 + 4) * ranks))
  fi
done

# Ranks that have no block at all take part in collective writes.
if runs 4 gcrmio --resolution 0 --subdomain 0; then expect_dataset gcrm.h5 "Step#2/temperature" "12, 8"; fi
if runs 12 gcrmio --resolution 0 --subdomain 0; then expect_dataset gcrm.h5 "Step#2/temperature" "12, 8"; fi

# Groups of unequal sizes, and one file for all, have the same data.
if runs 5 checkpoint --aggregators 2 --bytes 1000 --steps 1; then
  expect_equal "$(size 'snapshot.00000000/atoms#000000')" $((128 + 3 * 1000))
  expect_equal "$(size 'snapshot.00000000/atoms#000001')" $((128 + 2 * 1000))
  tail -qc +129 snapshot.00000000/atoms#* >"$base/separate"
  runs 5 checkpoint --aggregators 2 --bytes 1000 --steps 1 --one-file 1
  tail -c +129 snapshot.00000000/atoms >"$base/together"
  cmp "$base/separate" "$base/together" || fail "one file has other data than two"
fi

if /usr/bin/python3 -c 'import h5py, mpi4py, sys; sys.exit(not h5py.get_config().mpi)' 2>/dev/null; then
  for option in "" --independent; do
    run mpi 4 /usr/bin/python3 "$examples/h5py_write.py" --rows 2 $option
    expect_code 0
    expect_empty "$err"
    expect_dataset images.h5 camera/pixels "4, 8, 64"
  done
fi

# Help needs no MPI job; nonsense is refused.
for name in vpicio vorpalio gcrmio iosample checkpoint jacobi fortran_mpiio; do
  [ -x "$examples/$name" ] || continue
  run "$examples/$name" --help
  expect_code 0
  expect_contains "$out" "$name: "
  run "$examples/$name" --nonsense 1
  expect_code 2
  expect_lines "$err" 1
done
