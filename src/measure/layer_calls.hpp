// What each layer was called for: by the program itself, and by layers above it. Of a call at the top, this
// shows what it became below.
#pragma once

#include <string>
#include <vector>

#include "measure/summary.hpp"

namespace refrain::measure {

struct LayerCalls {
  std::string layer{};
  unsigned height = 0;       ///< its library calls those of lower layers
  FunctionTotals program{};  ///< what the program called
  FunctionTotals inside{};   ///< what layers above did
};

/// The highest layer first.
std::vector<LayerCalls> layer_calls(const Summary& summary);

}  // namespace refrain::measure
