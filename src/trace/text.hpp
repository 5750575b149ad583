// The canonical text of a trace, as printed by `refrain dump`: deterministic byte for byte, reads like a
// program. Without times, equal traces print equal text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trace/text_out.hpp"
#include "trace/trace.hpp"

namespace refrain::trace {

struct TextOptions {
  bool times = true;    ///< gap and duration per event; pid, host and start of each process
  bool layers = false;  ///< layer streams after the outer stream
};

void print(const Trace& trace, const TextOptions& options, const Sink& sink);

/// One call per line, in order, as the processes made them; a merged process rank by rank.
void print_expanded(const Trace& trace, const TextOptions& options, const Sink& sink);

/// A name from a trace as it is, but with every byte that could break the line escaped.
std::string plain_name(std::string_view text);

/// A string as a C literal with quotes; every byte that isn't printable ASCII is escaped.
std::string quoted(std::string_view text);

/// `starts`
std::string_view step_name(Step::Kind kind);
/// `after 4 calls: starts process 2`
std::string step_text(const Step& step);

/// The line of a node as in print, without times: `loop i 8`, or a call. It stands among `siblings` that are
/// run by `around`, within so many loops.
std::string node_text(const Trace& trace, const std::vector<Node>& siblings, const Node& node,
                      const RankSet& around, size_t loops);

/// One event with these parameter values, as in print_expanded.
std::string event_text(const Trace& trace, const Signature& signature, std::span<const int64_t> parameters);

}  // namespace refrain::trace
