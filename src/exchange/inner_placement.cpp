// See inner_placement.hpp. A stream of a layer begins with its first inner call. Of the calls of that layer
// by the program, `prefix` came before; so it was caused between that one and the next, by a call of a layer
// above: probably by one that opens a file, if there is one. That call may have done so through a layer in
// between, H5Fcreate by MPI_File_open: then the stream begins with the call of that layer.
#include "exchange/inner_placement.hpp"

#include <algorithm>
#include <optional>

#include "api/layers.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

/// What the outer calls say about the beginning of a layer's stream.
struct Cause {
  std::string layer{};
  uint64_t before = 0, seen = 0;  ///< calls of the layer by the program: before the stream, and so far
  std::optional<uint64_t> first_ns{}, opening_ns{};
  uint64_t opening_end_ns = 0;

  void add(const Call& call, const CallFacts& facts) {
    if (call.signature->in_stream_of(layer)) {
      ++seen;
      return;
    }
    bool is_above = api::layer_number(call.signature->layer) > api::layer_number(layer);
    if (seen < before || !is_above) return;
    // Where no call in between could have caused it, one behind.
    bool in_between = seen == before;
    if (!first_ns) first_ns = call.start_ns;
    if (opening_ns || !in_between || !facts.opens) return;
    opening_ns = call.start_ns;
    opening_end_ns = call.start_ns + call.duration_ns;
  }
};

}  // namespace

void InnerPlacement::place(Call& call, uint64_t number) const {
  if (number < before) return;
  auto scaled = [&](uint64_t ns) { return static_cast<uint64_t>(static_cast<double>(ns) * scale); };
  uint64_t start = scaled(call.start_ns - first_ns);
  uint64_t end = scaled(call.start_ns + call.duration_ns - first_ns);
  call.start_ns = begin_ns + start;
  call.duration_ns = end - start;
}

std::map<std::string, InnerPlacement> inner_placements(const Trace& trace, const Process& program,
                                                       uint32_t thread, const std::vector<CallFacts>& facts) {
  std::vector<Cause> causes;
  for (const Stream& s : program.streams)
    if (s.thread == thread && !s.layer.empty())
      causes.push_back({.layer = s.layer, .before = static_cast<uint64_t>(s.prefix.constant())});
  uint64_t outer_end = 0;
  CallWalk outer(trace, program, thread, {});
  for (Call call = outer.next(); call.signature != nullptr; call = outer.next()) {
    for (Cause& cause : causes) cause.add(call, facts[call.number]);
    outer_end = std::max(outer_end, call.start_ns + call.duration_ns);
  }
  std::sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
    return api::layer_number(a.layer) > api::layer_number(b.layer);
  });
  std::map<std::string, InnerPlacement> placements;
  std::vector<uint64_t> openings;  // of files, the first of each layer above
  for (const Cause& cause : causes) {
    std::optional<uint64_t> begin = cause.opening_ns ? cause.opening_ns : cause.first_ns;
    if (!begin) continue;
    for (uint64_t opening : openings)
      if (cause.opening_ns && opening > *begin && opening < cause.opening_end_ns) begin = opening;
    InnerPlacement placement{.before = cause.before, .begin_ns = *begin};
    CallWalk walk(trace, program, thread, {cause.layer});
    uint64_t number = 0, end = 0;
    std::optional<Call> opening;
    for (Call call = walk.next(); call.signature != nullptr; call = walk.next(), ++number) {
      if (number == cause.before) placement.first_ns = call.start_ns;
      if (!opening && number >= cause.before && facts[call.number].opens) opening = call;
      end = call.start_ns + call.duration_ns;
    }
    uint64_t length = end > placement.first_ns ? end - placement.first_ns : 0;
    uint64_t room = outer_end > *begin ? outer_end - *begin : 0;
    if (length > room) placement.scale = static_cast<double>(room) / static_cast<double>(length);
    if (opening) {
      placement.place(*opening, cause.before);
      openings.push_back(opening->start_ns);
    }
    placements[cause.layer] = placement;
  }
  return placements;
}

}  // namespace refrain::exchange
