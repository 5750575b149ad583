// Compressed sections. The only place that knows zstd; nothing that runs inside an application uses it.
#pragma once

#include "format/section.hpp"

namespace refrain::format {

/// One zstd frame per section.
extern const Codec zstd_codec;

}  // namespace refrain::format
