// One event as a C statement. What is printed for an argument follows from its kind in the function's row;
// the few functions that a row can't describe well enough have steps of their own (api/steps.hpp).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generate/slots.hpp"
#include "generate/strings.hpp"
#include "generate/values.hpp"
#include "plan/arguments.hpp"
#include "plan/inputs.hpp"

namespace refrain::generate {

/// Constant sizes of transfers. Each gets a name that can be changed at the top of the program.
class Sizes {
 public:
  const std::string& name(int64_t size) {
    auto [found, fresh] = names_.try_emplace(size);
    if (fresh) {
      found->second = "SIZE_" + std::to_string(names_.size());
      definitions_ += "#define " + found->second + " " + std::to_string(size) + "\n";
    }
    return found->second;
  }
  /// The name of a size; empty if it has none.
  std::string known(int64_t size) const {
    auto found = names_.find(size);
    return found == names_.end() ? "" : found->second;
  }
  const std::string& definitions() const { return definitions_; }

 private:
  std::map<int64_t, std::string> names_;
  std::string definitions_;
};

/// What the statements of one thread share.
struct CallContext {
  const trace::Trace& trace;
  Values& values;
  Strings& strings;
  Slots& slots;
  Tables& tables;
  Sizes& sizes;
  const plan::AwaitedPaths& awaited;
  const plan::TurnPlaces& turns;
  const trace::Races& races;
  uint32_t thread = 0;
};

/// The statement that makes the call of the event at `place` and checks its outcome. Throws Refusal.
std::string call_statement(const CallContext& context, const Place& place);

}  // namespace refrain::generate
