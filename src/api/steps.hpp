// What is done by hand about a function whose call can't be made again from its row alone. Each layer lists
// them in steps.def:
//
//   STEPS(function, macro of a kernel, C text of a kernel, function of a replay)
//
// The macro makes the call in a kernel and looks at its result; empty: the one that follows from the row. In
// the C text, {name} stands for the argument of that name as it would be printed, {result} for the recorded
// result, {bytes} for the bytes moved, {made} for the variable of the handle that the call makes; empty: as
// the row says. The function of a replay is in src/replay/special.cpp; `by_row`: none is needed. How it is
// recorded says the form of its row (row_forms.def): by hand, or as the row says.
#pragma once

#include <string_view>

namespace refrain::api {

struct Steps {
  std::string_view function{};
  std::string_view check{};
  std::string_view text{};
};

/// Those of a kernel; empty ones if nothing is done by hand.
Steps steps_of(std::string_view function);

}  // namespace refrain::api
