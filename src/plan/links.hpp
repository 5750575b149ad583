// Symbolic links that the calls of a trace make, so that a file has one name however it is reached. Links
// that existed before are not known; they are treated like ordinary names.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace refrain::plan {

class Links {
 public:
  /// The canonical name of what a path leads to, below the root; `..` never leaves the root. `folder` is the
  /// name of the folder that the path is relative to. Without `follow`, a link at the end is not followed.
  std::string resolve(const std::string& folder, std::string_view path, bool follow) const;
  void make(const std::string& name, const std::string& target) { targets_[name] = target; }
  void remove(const std::string& name) { targets_.erase(name); }

 private:
  std::map<std::string, std::string> targets_;  ///< by name, as they were given
};

}  // namespace refrain::plan
