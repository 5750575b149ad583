# Variables of MPI and HDF5 are found wherever an executable has them: in the library, or in a copy of its own that all
# code uses (copy relocations, the rule on x86-64). Programs in C and Fortran, compiled in three ways, are recorded
# alike, merged, and their kernels and replays are equal.
source "$(dirname "$0")/lib.sh"
need mpirun readelf "$programs/predefined_pie" "$programs/fortran_f08_pie"

if [ "$(uname -m)" = x86_64 ]; then  # otherwise this would test nothing
  for program in predefined_pie predefined_no_pie fortran_f08_pie; do
    readelf -rW "$programs/$program" >"$base/relocations"
    expect_matches "$base/relocations" 'R_X86_64_COPY.* (ompi_mpi_comm_world|H5T_NATIVE_DOUBLE_g|mpi_fortran_|ompi_f08_)'
  done
  readelf -rW "$programs/predefined_pic" >"$base/relocations"
  expect_lacks "$base/relocations" R_X86_64_COPY
fi

for placement in pie no_pie pic; do
  expect_transparent mpirun -n 2 "$programs/predefined_$placement"
  mv "$base/traced.rfn" "$placement.rfn"
  run "$refrain" dump --no-times "$placement.rfn"
  expect_contains "$out" 'MPI_File_open(MPI_COMM_WORLD, "shared.bin", MPI_MODE_CREATE|MPI_MODE_RDWR, MPI_INFO_NULL) -> fh0'
  expect_contains "$out" 'MPI_Type_contiguous(2, MPI_DOUBLE) -> mpitype0'
  expect_contains "$out" 'H5Dwrite(dataset0, H5T_NATIVE_DOUBLE, space1, space0, H5P_DEFAULT, data 8)'
  expect_equal "$(grep -c '^process ' "$out")" 1  # the ranks have merged

  expect_transparent mpirun -n 2 "$programs/fortran_f08_$placement"
  mv "$base/traced.rfn" "fortran_$placement.rfn"
done
for placement in no_pie pic; do
  run "$refrain" diff --all pie.rfn "$placement.rfn"
  expect_code 0
  run "$refrain" diff fortran_pie.rfn "fortran_$placement.rfn"
  expect_code 0
done

cp pie.rfn trace.rfn
for flags in '-fPIE -pie' '-fno-pie -no-pie' '-fPIC -pie'; do
  rm -rf kernel kernel_here replay_here
  run "$refrain" generate trace.rfn -o kernel
  expect_code 0
  run make -s -C kernel CFLAGS="-O1 $flags"
  expect_code 0
  expect_repeated 2 predefined_pie here
done
