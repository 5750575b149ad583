// Files that commands write: block by block, beside their place, renamed when they are complete, so that a
// full disk leaves an older file whole and no half of one under the name of a whole one. A symbolic link
// stays and its target is replaced; a device or a pipe, which a rename would destroy, is written itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace refrain {

class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Result<void> open(const std::filesystem::path& path);
  /// The same, but "-" is standard output.
  Result<void> open_or_stdout(const std::filesystem::path& path);
  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= block_bytes) flush();
  }
  /// Puts the file in its place, and says whether all was written. A file that isn't closed is dropped.
  Result<void> close() { return close(false); }
  /// The same, and waits until the disk has it: a crash of the system leaves either the old file or the new.
  Result<void> close_durably() { return close(true); }

 private:
  static constexpr size_t block_bytes = size_t{1} << 16;
  void flush();
  Result<void> close(bool durably);

  std::filesystem::path path_;    ///< as named, for messages
  std::filesystem::path target_;  ///< behind symbolic links
  std::filesystem::path beside_;  ///< empty: written in place
  int descriptor_ = -1;
  int error_ = 0;
  std::string buffer_;
};

/// All of a file at once, durably.
Result<void> write_whole_file(const std::filesystem::path& path, std::string_view bytes);

/// Makes a folder for several files, in a folder that is there; one of this name must be empty.
Result<void> make_output_folder(const std::filesystem::path& path);

}  // namespace refrain
