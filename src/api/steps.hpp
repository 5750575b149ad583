// Hand-written steps for functions whose calls can't be repeated from their rows alone. Each layer lists them
// in steps.def:
//
//   STEPS(function, macro of a kernel, C text of a kernel, function of a replay)
//
// The macro makes the call in a kernel and checks its result; if it is empty, the macro that follows from the
// row is used. In the C text, {name} stands for the argument of that name as it would be printed, {result}
// for the recorded result, {bytes} for the number of bytes moved, {made} for the variable of the new handle;
// if it is empty, the call is printed as the row says. The function of a replay is in src/replay/special.cpp;
// `by_row` means that none is needed. The form of the row (row_forms.def) says whether recording is
// hand-written.
#pragma once

#include <string_view>

namespace refrain::api {

struct Steps {
  std::string_view function{};
  std::string_view check{};
  std::string_view text{};
};

/// The steps of a kernel; empty if the row is enough.
Steps steps_of(std::string_view function);

}  // namespace refrain::api
