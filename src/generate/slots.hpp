// Handles as variables of the kernel. A class of handles whose slots are all known numbers gets a variable
// per slot (`fd0`, `dataset1`), one whose slots are computed gets an array (`fd[i]`).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "generate/c_expression.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {

class Slots {
 public:
  /// Finds the slots of one thread's calls that are computed at run time.
  void look(const trace::Trace& trace, const std::vector<trace::Node>& nodes, uint32_t thread);
  /// The variable behind a slot of a class, made by `thread`.
  std::string variable(std::string_view handle_class, uint32_t thread, const Expression& slot);
  /// The array of a class. Makes it an array even if all its slots are constants.
  std::string array(std::string_view handle_class, uint32_t thread);
  /// Whether written elements may hold references that another call has left in memory.
  static bool takes_references(const trace::Trace& trace);
  /// Declarations of all variables so far.
  std::string declarations() const;

 private:
  using Key = std::pair<std::string, uint32_t>;  ///< class and thread
  struct Used {
    bool computed = false;
    int64_t largest = 0;
    std::set<int64_t> known{};
  };
  static std::string stem(const Key& key);
  std::map<Key, Used> used_;
};

/// The C type of a class of handles; empty if there is no such class.
std::string_view handle_type(std::string_view handle_class);

}  // namespace refrain::generate
