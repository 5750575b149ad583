// Which file a call concerns, read off its signature: the one at its path, or the one that a handle leads to.
// Objects inside of files (groups, datasets, attributes) are named below their file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/signature.hpp"

namespace refrain::measure {

struct FileRule {
  static constexpr uint32_t absent = UINT32_MAX;

  /// A handle of a file or of an object among the parameters.
  struct Slot {
    uint32_t parameter = absent;
    uint32_t handle_class = 0;  ///< number of its kind
    int32_t thread = trace::Operand::own_thread;
    bool is_file = false;     ///< and not an object of a library
    std::string_view kind{};  ///< "fd"; of the signature, which outlives the rule
    explicit operator bool() const { return parameter != absent; }
  };

  Slot handle{};           ///< the first that the call takes; with a path, the folder that it is relative to
  Slot made{};             ///< the one that it makes
  uint32_t path = absent;  ///< of a file: parameter with the number of the template; its fields follow
  uint32_t path_fields = 0;
  uint32_t name = absent;  ///< of an object below `handle`, likewise
  uint32_t name_fields = 0;
  std::string object_kind{};  ///< of the object that is made: "dataset"
  bool leads_on = false;      ///< what is made leads to the file that the call concerns
  bool closes = false;        ///< the handle, and does not fail
  bool enters_folder = false;
  bool failed = false;

  /// Whether the call opens the file at its path.
  bool opens() const { return made && path != absent && !failed; }
  /// Whether it makes a handle of an object that it names.
  bool opens_object() const { return made && name != absent && !failed; }
};

/// One rule per signature, in their order.
std::vector<FileRule> file_rules(const std::vector<trace::Signature>& signatures);

}  // namespace refrain::measure
