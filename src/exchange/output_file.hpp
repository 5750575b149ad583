// Text files that exports write: block by block, beside their place, renamed when they are complete, so that
// a full disk leaves no half of an export under the name of a whole one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace refrain::exchange {

class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// "-" is standard output.
  Result<void> open(const std::filesystem::path& path);
  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= block_bytes) flush();
  }
  /// Says whether all was written.
  Result<void> close();

 private:
  static constexpr size_t block_bytes = size_t{1} << 16;
  void flush();

  std::filesystem::path path_, beside_;
  int descriptor_ = -1;
  int error_ = 0;
  std::string buffer_;
};

/// Makes a folder for an export; one that is there must be empty.
Result<void> make_folder(const std::filesystem::path& path);

}  // namespace refrain::exchange
