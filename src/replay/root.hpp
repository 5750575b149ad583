// The folder that a replay stays in. A trace is not to be trusted: whatever paths it names, what is done
// happens below this folder. Paths are mapped into it (trace/path_image.hpp), and before one is used the
// kernel of the system is asked whether it stays below, symbolic links included.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace refrain::replay {

class Root {
 public:
  /// Makes the folder if it isn't there, and makes it the working directory of the process.
  static Result<Root> enter(const std::string& folder);

  /// The image of a path, below the folder, as it is reached from where the process is; throws Trouble if a
  /// link leads out of it. Folders above it are made if they are missing and `make_above`.
  std::string place(std::string_view path, bool make_above);
  /// The process has gone to another folder; throws Trouble if that isn't below the root.
  void moved();
  /// Waits until a file is there, which somebody else makes; not for ever.
  void await(const std::string& image) const;
  const std::string& folder() const { return folder_; }

 private:
  void check(const std::string& image) const;
  /// The image of a path as it is reached from `current_`.
  std::string from_here(std::string_view path, const std::string& image) const;

  std::string folder_;
  int descriptor_ = -1;  ///< of the folder
  std::string current_;  ///< where the process is, below the folder; empty: there
};

}  // namespace refrain::replay
