// Why a call of a trace can't be made again. Thrown while its arguments are put together and caught by the
// player, which knows rank and event.
#pragma once

#include <string>

namespace refrain::replay {

struct ReplayError {
  std::string reason;
};

}  // namespace refrain::replay
