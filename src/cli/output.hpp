// Standard output that notices when it can't be written: a full disk must not look like a short result.
#pragma once

#include <string>
#include <string_view>

namespace refrain::cli {

/// Thrown by Output; main turns it into a message and an exit code.
struct OutputFailure {
  int error;  ///< errno of the failed write
};

/// A buffered file descriptor. Not flushed by destruction, because that could not report a failure.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= flush_at) flush();
  }
  void line(std::string_view text) {
    buffer_ += text;
    write("\n");
  }
  void flush();

 private:
  static constexpr size_t flush_at = size_t{1} << 16;
  int descriptor_;
  std::string buffer_;
};

/// Opens what is closed among descriptors 0 to 2 on /dev/null, so that no file of ours lands there and gets
/// our messages written into it. Programs started by exec find them closed again.
void guard_standard_streams();

}  // namespace refrain::cli
