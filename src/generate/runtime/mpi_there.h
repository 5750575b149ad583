/* The same by way of MPI: offsets are those of the view. */
static inline long long mpi_data_there(MPI_File file, long long at, long long bytes) {
  MPI_Offset position = at, begin = 0, size = 0;
  quiet(1);
  if (at < 0) MPI_File_get_position(file, &position);
  MPI_File_get_byte_offset(file, position, &begin);
  for (double end = now() + patience_for_files; bytes > 0 && !tired;) {
    if (MPI_File_get_size(file, &size) != MPI_SUCCESS || size >= begin + bytes) break;
    nap_until(end);
  }
  quiet(0);
  return bytes;
}
