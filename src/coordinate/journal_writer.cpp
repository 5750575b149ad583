// See journal_writer.hpp.
#include "coordinate/journal_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace refrain::coordinate {

Result<JournalWriter> JournalWriter::open(const std::string& path) {
  JournalWriter writer;
  writer.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (writer.descriptor_ < 0) return fail(ErrorKind::io, std::strerror(errno), path);
  return writer;
}

JournalWriter::JournalWriter(JournalWriter&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      is_torn_(other.is_torn_),
      buffer_(std::move(other.buffer_)) {}

JournalWriter& JournalWriter::operator=(JournalWriter&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(is_torn_, other.is_torn_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

JournalWriter::~JournalWriter() {
  if (descriptor_ >= 0) close(descriptor_);
}

void JournalWriter::line(std::string_view text) {
  if (!is_open()) return;
  if (std::exchange(is_torn_, false)) buffer_ += '\n';
  buffer_ += text;
  buffer_ += '\n';
}

size_t JournalWriter::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    ssize_t written = write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    left.remove_prefix(static_cast<size_t>(written));
  }
  size_t lost = left.size();
  is_torn_ = lost > 0;
  buffer_.clear();
  return lost;
}

}  // namespace refrain::coordinate
