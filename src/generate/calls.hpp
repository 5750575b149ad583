// One event as a C statement. What is printed for an argument follows from its kind in the function's row;
// the few functions that a row can't describe well enough stand in irregular.def.
#pragma once

#include <string>
#include <vector>

#include "generate/slots.hpp"
#include "generate/strings.hpp"
#include "generate/values.hpp"
#include "plan/arguments.hpp"

namespace refrain::generate {

/// What the statements of one thread share.
struct CallContext {
  const trace::Trace& trace;
  Values& values;
  Strings& strings;
  Slots& slots;
  Tables& tables;
  uint32_t thread = 0;
};

/// The statement that makes the call of the event at `place` and checks its outcome. Throws Refusal.
std::string call_statement(const CallContext& context, const Place& place);

}  // namespace refrain::generate
