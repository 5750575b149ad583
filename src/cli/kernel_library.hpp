// The library of kernels: traces of known programs that come with Refrain, in share/refrain/kernels. NAME.rfn
// is the trace, and NAME.txt says what it is: lines `field: text` (summary, source, recorded, version), an
// empty line, and what the program does in words.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace refrain::cli {

struct LibraryKernel {
  std::string name{};
  std::filesystem::path trace{};
  std::map<std::string, std::string> fields{};
  std::string description{};

  std::string field(const std::string& which) const;
};

/// All of them, by name.
Result<std::vector<LibraryKernel>> library_kernels();
/// One; the error suggests what may have been meant.
Result<LibraryKernel> library_kernel(const std::string& name);

}  // namespace refrain::cli
