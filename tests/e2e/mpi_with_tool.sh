# Another tool that wraps MPI in the usual way is loaded together with the recorder, before or behind it: both see every
# call, and it is recorded once.
source "$(dirname "$0")/lib.sh"
need mpirun "$programs/mpi_endings"
[ -e "$programs/pmpi_tool.so" ] || { echo "skipped: there is no pmpi_tool.so"; exit 77; }

run mpi 2 env LD_PRELOAD="$programs/pmpi_tool.so" "$programs/mpi_endings"
cp "$out" "$base/alone"
expect_contains "$base/alone" 'pmpi_tool: 2 MPI_File_open, 20 MPI_File_write_at'
for order in "REFRAIN:$programs/pmpi_tool.so" "$programs/pmpi_tool.so:REFRAIN"; do
  cat >wrapped.sh <<END
export LD_PRELOAD=\$(echo "$order" | sed "s|REFRAIN|\${LD_PRELOAD%%:*}|")
exec "$programs/mpi_endings"
END
  rm -f "$base/traced.rfn"
  run "$refrain" record -q -o "$base/traced.rfn" -- mpirun -n 2 bash wrapped.sh
  expect_code 0
  expect_same "$base/alone" "$out"
  expect_calls 20 '^ +MPI_File_write_at\('
  expect_calls 2 '^ +MPI_File_open\('
  expect_calls 2 '^ +MPI_Finalize\('
  expect_sound "$base/traced.rfn"
done
