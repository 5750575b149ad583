#include "base/version.hpp"

namespace refrain {

const char* version() { return REFRAIN_VERSION; }

}  // namespace refrain
