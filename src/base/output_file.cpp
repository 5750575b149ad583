// See output_file.hpp.
#include "base/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace refrain {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> refused(int error, const fs::path& path) {
  return fail(error == ENOSPC ? ErrorKind::no_space : ErrorKind::io, std::strerror(error), path.string());
}

/// Devices, pipes and sockets, also behind symbolic links.
bool is_written_in_place(const fs::path& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// Where the bytes go in the end: behind symbolic links, also those that lead to nothing yet.
fs::path target_of(fs::path path) {
  constexpr int most_links = 40;  // as many as the system follows
  std::error_code code;
  for (int i = 0; i < most_links && fs::is_symlink(path, code); ++i) {
    fs::path next = fs::read_symlink(path, code);
    if (code) break;
    path = path.parent_path() / next;
  }
  return path;
}

/// Makes a rename in this folder durable; failing to is no reason to give up the file.
void sync_folder(const fs::path& folder) {
  int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

OutputFile::~OutputFile() {
  if (descriptor_ < 0 || descriptor_ == STDOUT_FILENO) return;
  ::close(descriptor_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

Result<void> OutputFile::open(const fs::path& path) {
  path_ = path;
  int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
  if (is_written_in_place(path)) {
    descriptor_ = ::open(path.c_str(), flags);
  } else {
    target_ = target_of(path);
    beside_ = target_;
    beside_ += ".tmp" + std::to_string(::getpid());
    descriptor_ = ::open(beside_.c_str(), flags | O_CREAT | O_TRUNC, 0666);
  }
  if (descriptor_ < 0) return refused(errno, path_);
  return {};
}

Result<void> OutputFile::open_or_stdout(const fs::path& path) {
  if (path != "-") return open(path);
  path_ = "standard output";
  descriptor_ = STDOUT_FILENO;
  return {};
}

void OutputFile::flush() {
  std::string_view left = buffer_;
  while (!left.empty() && error_ == 0) {
    ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written >= 0)
      left.remove_prefix(static_cast<size_t>(written));
    else if (errno != EINTR)
      error_ = errno;
  }
  buffer_.clear();
}

Result<void> OutputFile::close(bool durably) {
  flush();
  int descriptor = std::exchange(descriptor_, -1);
  bool moves = !beside_.empty();
  if (error_ == 0 && moves && durably && ::fsync(descriptor) != 0) error_ = errno;
  if (descriptor != STDOUT_FILENO && ::close(descriptor) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && moves && ::rename(beside_.c_str(), target_.c_str()) != 0) error_ = errno;
  if (error_ != 0) {
    if (moves) ::unlink(beside_.c_str());
    return refused(error_, path_);
  }
  if (moves && durably) sync_folder(target_.has_parent_path() ? target_.parent_path() : fs::path("."));
  return {};
}

Result<void> write_whole_file(const fs::path& path, std::string_view bytes) {
  OutputFile file;
  if (Result<void> opened = file.open(path); !opened) return opened;
  file.write(bytes);
  return file.close_durably();
}

Result<void> make_output_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directory(path, error);
  if (error) return fail(ErrorKind::io, error.message(), path.string());
  bool empty = fs::is_empty(path, error);
  if (error) return fail(ErrorKind::io, error.message(), path.string());
  if (!empty) return fail(ErrorKind::usage, "the folder is not empty", path.string());
  return {};
}

}  // namespace refrain
