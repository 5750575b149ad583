// Which Refrain this is.
#pragma once

namespace refrain {

/// As in `0.2.0`; the build has it from the top of CMakeLists.txt, and nobody else says it.
const char* version();

}  // namespace refrain
