// In place of an engine where SimGrid was not found.
#include "simulate/engine.hpp"

namespace refrain::simulate {

Result<void> check_engine() {
  return fail(
      ErrorKind::usage,
      "this build can't simulate: it was made without SimGrid (libsimgrid-dev); install it and build again");
}

void run_engine(uint32_t, const FlowHandler&) {}

}  // namespace refrain::simulate
