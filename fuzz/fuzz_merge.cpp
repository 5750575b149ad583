// Any bytes as a trace whose processes are ranks: merging them must neither crash nor change a call, in one
// go or in steps that were finished in between.
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "format/consistency.hpp"
#include "format/file.hpp"
#include "merge/merge_ranks.hpp"
#include "scale/at_size.hpp"
#include "sections.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"
#include "trace/text.hpp"

namespace {

using namespace refrain;

constexpr uint32_t most_ranks = 6;
constexpr size_t most_events = 300;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// Each rank of each process as the trace of a rank of its own, all of the same program.
std::vector<trace::Trace> ranks_of(const trace::Trace& t) {
  std::vector<trace::Trace> parts;
  for (const trace::Process& p : t.processes)
    for (uint64_t k = 0; k < std::max<uint64_t>(1, p.ranks.size()) && parts.size() < most_ranks; ++k) {
      trace::Trace one = t;
      one.processes = {trace::at_rank(p, p.ranks.empty() ? 0 : p.ranks.at(k))};
      trace::Process& rank = one.processes[0];
      rank.ranks = trace::RankSet::range(static_cast<uint32_t>(parts.size()), 1);
      rank.program = "app", rank.arguments = {}, rank.directory = {}, rank.ending = trace::Ending::exited;
      parts.push_back(std::move(one));
    }
  return parts;
}

/// The first calls of each stream of one rank, as text. The order of streams is of no importance.
std::set<std::string> calls(const trace::Trace& t, const trace::Process& merged, uint32_t rank) {
  std::set<std::string> streams;
  for (const trace::Stream& s : trace::at_rank(merged, rank).streams) {
    std::string text = std::to_string(s.thread) + s.layer + std::to_string(s.prefix.constant()) + "\n";
    trace::Expander expander(s.nodes);
    for (size_t n = 0; n < most_events; ++n) {
      auto e = expander.next();
      if (!e.node) break;
      text += trace::event_text(t, t.signatures[e.node->signature], e.parameters) + "\n";
    }
    streams.insert(std::move(text));
  }
  return streams;
}

/// Streams that can't be run to their end, or twice the same thread, are no promise to anybody.
bool runs(const trace::Trace& t) {
  const trace::Process& p = t.processes[0];
  for (size_t i = 0; i < p.streams.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (p.streams[i].thread == p.streams[j].thread && p.streams[i].layer == p.streams[j].layer)
        return false;
    trace::Expander expander(p.streams[i].nodes);
    for (size_t n = 0; n <= most_events; ++n)
      if (!expander.next().node) break;
    if (expander.damaged()) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto t = format::decode(fuzz::as_file({data, size}));
  if (t && t->scale_free()) t = scale::at_size(*t, most_ranks);
  if (!t || t->processes.empty()) return 0;
  std::vector<trace::Trace> parts = ranks_of(*t);
  trace::Trace whole = merge::merge_ranks(parts);
  require(format::check(whole).has_value(), "what was merged is consistent");
  trace::Trace steps = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) {
    steps = merge::merge_two(std::move(steps), parts[i]);
    if (i % 2) steps = merge::merged_ranks(std::move(steps));
  }
  require(format::decode(format::encode(whole)).has_value(), "what was merged can be read");
  for (uint32_t r = 0; r < parts.size(); ++r) {
    if (!runs(parts[r])) continue;
    std::set<std::string> before = calls(parts[r], parts[r].processes[0], r);
    require(calls(whole, whole.processes[0], r) == before, "a rank keeps its calls");
    require(calls(steps, steps.processes[0], r) == before, "a rank keeps its calls when merged in steps");
  }
  return 0;
}
