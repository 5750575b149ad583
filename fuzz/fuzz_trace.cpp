// Any bytes as a trace file: either refused with a reason, or a trace that can be printed, run, summed up,
// joined, compared and written again without trouble.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "compare/compare.hpp"
#include "format/consistency.hpp"
#include "format/file.hpp"
#include "measure/summary.hpp"
#include "merge/side_by_side.hpp"
#include "scale/at_size.hpp"
#include "sections.hpp"
#include "trace/expand.hpp"
#include "trace/text.hpp"

namespace {

using namespace refrain;

constexpr uint64_t most_events = 2000;
constexpr size_t most_text = 1 << 18;
constexpr uint32_t some_ranks = 6;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

struct Enough {};

/// A text may be of any length, as loops may be; a part of it is enough.
template <class Print>
void print_a_part(Print print) {
  size_t printed = 0;
  auto sink = [&](std::string_view piece) {
    printed += piece.size();
    if (printed > most_text) throw Enough{};
  };
  try {
    print(sink);
  } catch (const Enough&) {
  }
}

void run(const trace::Trace& t) {
  for (const trace::Process& p : t.processes)
    for (const trace::Stream& s : p.streams) {
      trace::Expander expander(s.nodes);
      for (uint64_t n = 0; n < most_events; ++n) {
        auto e = expander.next();
        if (!e.node) break;
        if (n < 50) trace::event_text(t, t.signatures[e.node->signature], e.parameters);
      }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto t = format::decode(fuzz::as_file({data, size}));
  if (!t) {
    require(!t.error().message.empty(), "errors have a reason");
    return 0;
  }
  require(format::check(*t).has_value(), "what was read is consistent");
  std::vector<uint8_t> bytes = format::encode(*t);
  auto again = format::decode(bytes);
  require(again.has_value(), "what was written is accepted");
  require(format::encode(*again) == bytes, "writing again gives the same bytes");
  print_a_part([&](const trace::Sink& sink) { trace::print(*t, {.layers = true}, sink); });
  print_a_part([&](const trace::Sink& sink) { trace::print_expanded(*t, {.layers = true}, sink); });
  measure::summarize(*t, {.walked_events = most_events, .files = 100});
  run(*t);
  if (t->scale_free()) {
    scale::doubts_at_size(*t, some_ranks);
    t = again = scale::at_size(*t, some_ranks);
    if (!t) return 0;
    require(format::check(*t).has_value(), "a trace at a number of ranks is consistent");
  }
  auto same = compare::compare(*t, *again, {.layers = true});
  require(same && !same->difference && same->walked == 0, "a trace equals itself, without being run");
  require(format::check(merge::side_by_side({*t, *again})).has_value(), "joined traces are consistent");
  return 0;
}
