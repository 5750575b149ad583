// Which file, and which object in it, each call of a run concerns: handles are followed from the call that
// makes them. A path has one spelling, relative to where the process began if it is below that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "measure/file_rule.hpp"
#include "measure/handle_key.hpp"
#include "trace/template.hpp"

namespace refrain::measure {

class NamedFiles {
 public:
  static constexpr uint32_t none = UINT32_MAX;
  using Parameters = std::span<const int64_t>;

  struct Place {
    uint32_t file = none;
    uint32_t object = none;
    bool opened = false;  ///< of a handle: it was made by opening the file at its path
    bool operator==(const Place&) const = default;
  };
  struct Object {
    uint32_t file = none;
    std::string kind{};  ///< "dataset"
    std::string name{};  ///< from the root of the file: "group/numbers"
  };

  /// At most so many files and objects get numbers; further ones are `none`.
  NamedFiles(const std::vector<trace::Template>& templates, size_t most_files, size_t most_objects)
      : templates_(templates), most_files_(most_files), most_objects_(most_objects) {}

  /// A process begins in this folder, without handles.
  void begin(const std::string& folder);
  /// What comes now is done by this thread. Handles of threads before it are remembered.
  void begin_thread(uint32_t thread) { thread_ = static_cast<int32_t>(thread); }
  /// What the next call concerns.
  Place take(const FileRule& rule, Parameters parameters);

  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<Object>& objects() const { return objects_; }
  bool complete() const { return complete_; }

 private:
  HandleKey key(const FileRule::Slot& slot, Parameters parameters) const;
  Place handle(const FileRule::Slot& slot, Parameters parameters);
  std::string text(uint32_t parameter, uint32_t fields, Parameters parameters) const;
  uint32_t file(const std::string& path);
  Place path(const FileRule& rule, Parameters parameters);
  Place object(const FileRule& rule, Place in, Parameters parameters);

  const std::vector<trace::Template>& templates_;
  size_t most_files_, most_objects_;
  int32_t thread_ = 0;
  std::string start_, current_;
  std::unordered_map<HandleKey, Place, HandleKeyHash> handles_;
  std::unordered_map<std::string, uint32_t> by_path_, by_object_;
  std::vector<std::string> paths_;
  std::vector<Object> objects_;
  bool complete_ = true;
};

}  // namespace refrain::measure
