// Whether the parts of a trace fit together: the last step of reading one. Trees are checked for themselves
// in node_code.
#pragma once

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::format {

/// Constant indices of templates and lists exist, templates have as many fields as their operands say, and
/// tables over ranks have a value for each. Indices that vary are checked where they are used.
Result<void> check(const trace::Trace& trace);

}  // namespace refrain::format
