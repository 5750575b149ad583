# Programs that leave the folder they were started in by names that MPI-IO is given, with both of Open MPI's ways to do
# it: OMPIO takes a name as it is, ROMIO takes the kind of the file system away from its front.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_wall.sh"
need mpirun mpicc "$programs/wall_mpiio"
need_layer mpiio
need_romio

launcher=(mpirun -n 1)
for io in ompio "$romio"; do
  export OMPI_MCA_io=$io
  for way in $("$programs/wall_mpiio"); do
    case $io.$way in ompio.prefix*) continue ;; esac  # a part of the name, there
    recorded "$way, $io" -- mpirun -n 1 "$programs/wall_mpiio" "$way" "$outside"
  done
  # A folder that is called like a prefix, and leads up.
  plant() { mkdir -p a/b; }
  forged "prefix_as_link, $io" <<'X'
ranks 1
MPI_Init = 0
chdir "a/b" = 0
symlink "../.." "ufs:.." = 0
MPI_File_open @MPI_COMM_SELF "ufs:/evil" @MPI_MODE_CREATE|MPI_MODE_WRONLY @MPI_INFO_NULL = fh#0
MPI_Finalize = 0
X
  plant() { :; }
done

wall_verdict
