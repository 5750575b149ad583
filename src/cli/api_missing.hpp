// `refrain api --missing`: which public functions of the installed MPI and HDF5 are not recorded, and why.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/output.hpp"

namespace refrain::cli {

struct MissingOptions {
  std::vector<std::string> folders;  ///< of headers; empty: where a compiler would look
  std::string layer;                 ///< only functions of this layer; empty: all
  bool json = false;
};

Result<int> list_missing(const MissingOptions& options, Output& out);

}  // namespace refrain::cli
