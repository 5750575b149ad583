// Where the handles of a thread stand in their files, and where each file was accessed last: what it takes to
// tell whether an access follows the one before.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "measure/access_rule.hpp"
#include "measure/accesses.hpp"
#include "trace/template.hpp"

namespace refrain::measure {

class FilePositions {
 public:
  using Parameters = std::span<const int64_t>;
  /// Most different paths that are remembered.
  static constexpr size_t most_files = 1'000'000;

  struct File {
    int64_t last_read = 0, last_written = 0;  ///< last byte
    int64_t end = 0;                          ///< behind the last byte known
  };
  struct Handle {
    size_t file = 0;
    int64_t position = 0;
    bool appends = false;
    uint32_t slots = 0;  ///< that share it
  };
  struct Access {
    int64_t end;
    bool at_position;  ///< of the handle, which it moved
  };

  explicit FilePositions(const std::vector<trace::Template>& templates) : templates_(templates) {}

  /// Carries out a call that is not data.
  void apply(const AccessRule& rule, Parameters parameters);
  /// Carries out and counts an access; nothing if its place is not known.
  std::optional<Access> access(const AccessRule& rule, Parameters parameters, AccessTotals& totals);

  /// The handle that a call works on.
  size_t handle(const AccessRule::Slot& slot, Parameters parameters);
  std::vector<File>& files() { return files_; }
  std::vector<Handle>& handles() { return handles_; }
  /// There were too many files: what follows is not to be trusted.
  bool full() const { return files_.size() >= most_files; }

 private:
  struct Key {
    uint32_t handle_class;
    int64_t slot;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const {
      return hash_combine(k.handle_class, static_cast<uint64_t>(k.slot));
    }
  };
  static Key key(const AccessRule::Slot& slot, Parameters parameters) {
    return {slot.handle_class, parameters[slot.parameter]};
  }
  size_t file(const AccessRule& rule, Parameters parameters);
  size_t new_handle(Handle handle);
  void bind(Key key, size_t handle);
  void release(size_t handle);
  void seek(const AccessRule& rule, Parameters parameters);
  void open(const AccessRule& rule, Parameters parameters);

  const std::vector<trace::Template>& templates_;
  std::vector<File> files_;
  std::vector<Handle> handles_;
  std::vector<size_t> free_handles_;
  std::unordered_map<Key, size_t, KeyHash> by_slot_;
  std::unordered_map<std::string, size_t> by_path_;
};

}  // namespace refrain::measure
