// Compressed sections. The only place that knows zstd; nothing that runs inside an application uses it.
#pragma once

#include "trace/section.hpp"

namespace refrain::trace {

/// One zstd frame per section.
extern const Codec zstd_codec;

}  // namespace refrain::trace
