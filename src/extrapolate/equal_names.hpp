// Where the tables of two runs could only be united as blocks, the same name stands in them twice, and which
// of the two a call refers to seems to depend on the number of ranks. References that don't step through the
// table are turned to the first of equal names.
#pragma once

#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// Changes no string on any rank.
void refer_to_first_names(trace::Trace& trace);

}  // namespace refrain::extrapolate
