// Heat maps as bytes; see docs/trace-format.md, section HEAT.
#pragma once

#include "base/bytes.hpp"
#include "trace/trace.hpp"

namespace refrain::format {

/// Whether there is one. A scale-free trace has none.
bool has_heat(const trace::Trace& trace);
/// Those of all processes, in their order.
void write_heat(ByteWriter& out, const trace::Trace& trace);
/// Accepts any bytes; check `in` afterwards.
void read_heat(ByteReader& in, trace::Trace& trace);

}  // namespace refrain::format
