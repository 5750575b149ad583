// See output.hpp.
#include "cli/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace refrain::cli {

void Output::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      int error = errno;
      buffer_.clear();
      throw OutputFailure{error};
    }
    rest.remove_prefix(static_cast<size_t>(written));
  }
  buffer_.clear();
}

void guard_standard_streams() {
  // The lowest free number is what open() returns, so going upwards fills exactly the closed ones. Output
  // is opened for reading: a result written to a closed stream is an error, not a success.
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode | O_CLOEXEC) < 0) return;
  }
}

}  // namespace refrain::cli
