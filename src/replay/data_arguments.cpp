// What calls read, beside what the recorded ones did: waiting for data that others write, and asking MPI how
// much there was.
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "replay/argument_words.hpp"

namespace refrain::replay {
namespace {

/// Whether a regular file is at least this long. True for everything else, so that nobody waits for it.
bool reaches(int fd, int64_t end) {
  struct stat status {};
  return fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size >= end;
}

}  // namespace

void Arguments::await_data(uint64_t bytes) {
  auto number = static_cast<uint32_t>(&signature_ - stage_.trace.signatures.data());
  const GivenArgument* handle = bytes == 0 ? nullptr : plan::awaited_handle(plan_, stage_.awaited, number);
  if (handle == nullptr) return;
  Quiet quiet;
  uint64_t file = word(*handle);
  int64_t at = -1;
  for (const GivenArgument& g : plan_.arguments)
    if (g.argument->kind == Kind::offset) at = static_cast<int64_t>(word(g));
  auto count = static_cast<int64_t>(bytes);
  if (handle->argument->kind == Kind::mpi_file) {
    Libraries& l = stage_.libraries;
    int64_t begin = 0, size = 0;
    if (at < 0) l.get<int(uint64_t, int64_t*)>("MPI_File_get_position")(file, &at);
    l.get<int(uint64_t, int64_t, int64_t*)>("MPI_File_get_byte_offset")(file, at, &begin);
    auto* get_size = l.get<int(uint64_t, int64_t*)>("MPI_File_get_size");
    stage_.root.wait_until([&] { return get_size(file, &size) != 0 || size >= begin + count; });
    return;
  }
  int fd = static_cast<int>(file);
  if (handle->argument->kind == Kind::stream) {
    auto* stream = reinterpret_cast<FILE*>(file);
    fd = fileno(stream);
    at = ftell(stream);
  } else if (at < 0) {
    at = lseek(fd, 0, SEEK_CUR);
  }
  if (at >= 0) stage_.root.wait_until([&] { return reaches(fd, at + count); });
}

void Arguments::preset_status(uint64_t bytes) {
  Quiet quiet;
  Libraries& l = stage_.libraries;
  l.get<int(void*, uint64_t, int64_t)>("MPI_Status_set_elements_x")(status_, l.predefined("MPI_BYTE"),
                                                                    static_cast<int64_t>(bytes));
}

uint64_t Arguments::read_by_status() {
  Quiet quiet;
  Libraries& l = stage_.libraries;
  int64_t bytes = 0;
  l.get<int(const void*, uint64_t, int64_t*)>("MPI_Get_elements_x")(status_, l.predefined("MPI_BYTE"),
                                                                    &bytes);
  return bytes > 0 ? static_cast<uint64_t>(bytes) : 0;
}

}  // namespace refrain::replay
