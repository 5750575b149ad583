// The files that a page has room for: those with the most bytes, then the most calls. What is left out is
// counted.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "measure/file_usage.hpp"

namespace refrain::report {

struct LargestFiles {
  measure::Usage usage{};  ///< only these files, by path, with their largest objects
  size_t files_left_out = 0;
  measure::FileUsage left_out{};  ///< the figures of these together: of programs and of layers
  std::map<std::string, size_t> objects_left_out{};  ///< by the path of a file that is kept; no zeros
};

/// At most so many files, and as many objects in all of them together.
LargestFiles largest_files(measure::Usage usage, size_t most);

/// The layer whose figures describe a file that programs themselves don't call for: the lowest; else empty.
std::string layer_inside(const measure::FileUsage& file);

}  // namespace refrain::report
