// One line of strace -ttt -y [-T]:
//
//   1700000000.123456 openat(AT_FDCWD</home/u>, "a.dat", O_RDONLY) = 3</home/u/a.dat> <0.000021>
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace refrain::exchange {

struct StraceLine {
  uint64_t start_ns = 0;  ///< since the epoch
  uint64_t duration_ns = 0;
  std::string name{};
  std::vector<std::string> arguments{};
  int64_t result = 0;
  std::string result_path{};  ///< of the descriptor returned
  std::string error{};        ///< "ENOENT"
};

/// Nothing for lines that are no finished call: signals, the end of a process, calls cut off by it.
Result<std::optional<StraceLine>> parse_strace_line(std::string_view line);

/// A descriptor as -y shows it: "3</a/b>".
struct ShownDescriptor {
  int64_t number = 0;  ///< `at_working_folder` for AT_FDCWD
  std::string path{};
  static constexpr int64_t at_working_folder = -100;
  /// Whether it is a file or a folder: not a pipe, a socket or the like.
  bool is_file() const { return path.starts_with('/'); }
};
Result<ShownDescriptor> parse_descriptor(std::string_view text);

}  // namespace refrain::exchange
