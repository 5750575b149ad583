# Names that calls make up (mkstemp and its like) differ from run to run; traces don't. Kernels and replays use the
# names that their own calls make.
source "$(dirname "$0")/lib.sh"

# twice COMMAND...  Records it in two folders; the traces are equal.
twice() {
  local n
  for n in 1 2; do
    rm -rf "$base/run$n" && mkdir "$base/run$n" && cd "$base/run$n"
    run "$refrain" record -q -o "$base/$n.rfn" -- "$@" </dev/null
    expect_code 0
    cd "$work"
  done
  run "$refrain" diff "$base/1.rfn" "$base/2.rfn"
  expect_code 0
}

twice "$programs/made_up"
run "$refrain" dump --no-times "$base/1.rfn"
expect_contains "$out" 'mkstemp("part_{name0}") -> fd0'
expect_contains "$out" 'rename("part_{name0}", "kept_{i}")'
expect_contains "$out" 'mkstemps("folder_{name0}/1_{name1}2", 1) -> fd0'
expect_contains "$out" 'mkstemp("no/such/folder_XXXXXX") -> ENOENT'

# gfortran's scratch files.
if [ -x "$programs/fortran_io" ]; then
  command -v gfortran >/dev/null && cat >scratch.f90 <<'END'
program scratch
  integer :: i, x
  do i = 1, 3
    open(10, status='scratch', form='unformatted')
    write(10) i
    rewind(10)
    read(10) x
    close(10)
  end do
end program
END
  if [ -f scratch.f90 ]; then
    gfortran -o scratch scratch.f90
    twice "$work/scratch"
    run "$refrain" dump --no-times "$base/1.rfn"
    expect_matches "$out" 'mkostemp\(".*gfortrantmp\{name0\}"'
  fi
fi

# Ranks that make names in one folder don't get in each other's way.
if [ -x "$programs/mpi_made_up" ] && command -v mpirun >/dev/null; then
  twice mpirun -n 4 "$programs/mpi_made_up"
  run "$refrain" dump --no-times "$base/1.rfn"
  expect_contains "$out" 'MPI_File_open(MPI_COMM_SELF, "folder_{name1}/part"'
  run "$refrain" generate -q "$base/1.rfn" -o kernel
  expect_code 0
  run make -C kernel
  expect_code 0
  run "$refrain" record -q -o kernel.rfn -- mpirun -n 4 kernel/mpi_made_up --root "$base/kernel_run" </dev/null
  expect_code 0
  run "$refrain" diff "$base/1.rfn" kernel.rfn
  expect_code 0
  run "$refrain" record -q -o replay.rfn -- mpirun -n 4 "$refrain" replay "$base/1.rfn" --root "$base/replay_run" </dev/null
  expect_code 0
  run "$refrain" diff "$base/1.rfn" replay.rfn
  expect_code 0
  expect_equal "$(ls "$base/kernel_run" "$base/replay_run" | grep -c '_')" 2  # their own names
fi
