// A file that events are appended to, line by line. A disk that is full must not stop the coordinator: what
// can't be written is lost, counted and said once.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace refrain::coordinate {

class JournalWriter {
 public:
  JournalWriter() = default;
  static Result<JournalWriter> open(const std::string& path);
  JournalWriter(JournalWriter&& other) noexcept;
  JournalWriter& operator=(JournalWriter&& other) noexcept;
  ~JournalWriter();

  bool is_open() const { return descriptor_ >= 0; }
  void line(std::string_view text);
  /// Hands over what was collected. Returns how many bytes were lost.
  size_t flush();

 private:
  int descriptor_ = -1;
  bool is_torn_ = false;  ///< the last line written is not complete
  std::string buffer_;
};

}  // namespace refrain::coordinate
