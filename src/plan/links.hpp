// Symbolic links that the calls of a trace make, so that a file has one name however it is reached. Links
// that were there before are not known: what is reached through them is taken for what its path says.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace refrain::plan {

class Links {
 public:
  /// The one name of what a path leads to, below the root, where no `..` leaves it. `folder` is the name of
  /// the folder that it is relative to. Without `follow`, a link at the end is what is meant.
  std::string resolve(const std::string& folder, std::string_view path, bool follow) const;
  void make(const std::string& name, const std::string& target) { targets_[name] = target; }
  void remove(const std::string& name) { targets_.erase(name); }

 private:
  std::map<std::string, std::string> targets_;  ///< by name, as they were given
};

}  // namespace refrain::plan
