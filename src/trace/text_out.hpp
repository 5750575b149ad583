// Buffered text on its way to a sink: printing never holds more than a block of a dump in memory, however
// large the trace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace refrain::trace {

using Sink = std::function<void(std::string_view)>;

class TextOut {
 public:
  explicit TextOut(const Sink& sink) : sink_(sink) {}
  TextOut(const TextOut&) = delete;
  TextOut& operator=(const TextOut&) = delete;

  TextOut& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= block_bytes) flush();
    return *this;
  }
  TextOut& operator<<(int64_t number) { return *this << std::to_string(number); }
  TextOut& operator<<(uint64_t number) { return *this << std::to_string(number); }
  void indent(size_t levels) { buffer_.append(2 * levels, ' '); }
  /// Hands over what is left; to be called once at the end.
  void flush() {
    sink_(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr size_t block_bytes = size_t{1} << 16;
  const Sink& sink_;
  std::string buffer_;
};

}  // namespace refrain::trace
