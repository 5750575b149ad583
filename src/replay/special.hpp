// Calls that can't be made from their row alone: functions with further arguments, requests that must be
// filled in first, what was there before recording began.
#pragma once

#include <string_view>

#include "replay/argument_words.hpp"

namespace refrain::replay {

/// Makes the call and returns its result as a word.
using Maker = uint64_t (*)(Arguments&);

/// H5FDregister.
uint64_t make_h5_driver(Arguments& arguments);

/// The hand-written step of a function; null if its row is sufficient.
Maker special_maker(std::string_view function);

}  // namespace refrain::replay
