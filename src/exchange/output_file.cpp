#include "exchange/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace refrain::exchange {

namespace {

tl::unexpected<Error> refused(int error, const std::filesystem::path& path) {
  return fail(error == ENOSPC ? ErrorKind::no_space : ErrorKind::io, std::strerror(error), path.string());
}

}  // namespace

OutputFile::~OutputFile() {
  if (descriptor_ < 0 || path_ == "-") return;
  ::close(descriptor_);
  ::unlink(beside_.c_str());
}

Result<void> OutputFile::open(const std::filesystem::path& path) {
  path_ = path;
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return {};
  }
  beside_ = path;
  beside_ += "." + std::to_string(::getpid()) + ".part";
  descriptor_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return refused(errno, path_);
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

Result<void> OutputFile::close() {
  flush();
  if (path_ == "-") {
    if (error_ != 0) return refused(error_, "standard output");
    descriptor_ = -1;
    return {};
  }
  if (::close(descriptor_) != 0 && error_ == 0) error_ = errno;
  descriptor_ = -1;
  if (error_ == 0 && ::rename(beside_.c_str(), path_.c_str()) != 0) error_ = errno;
  if (error_ == 0) return {};
  ::unlink(beside_.c_str());
  return refused(error_, path_);
}

Result<void> make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return fail(ErrorKind::io, error.message(), path.string());
  bool empty = std::filesystem::is_empty(path, error);
  if (error) return fail(ErrorKind::io, error.message(), path.string());
  if (!empty) return fail(ErrorKind::usage, "the folder is not empty", path.string());
  return {};
}

}  // namespace refrain::exchange
