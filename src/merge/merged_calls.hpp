// For tests of merging: what ranks called, before and after, and traces of a few calls.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "format/consistency.hpp"
#include "format/file.hpp"
#include "merge/spmd_streams.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"
#include "trace/text.hpp"

namespace refrain::merge {

using spmd::Calls;
using trace::Node;
using trace::Process;
using trace::RankSet;
using trace::Stream;
using trace::Trace;

inline size_t count_nodes(const std::vector<Node>& nodes) {
  size_t n = nodes.size();
  for (const Node& node : nodes) n += count_nodes(node.body);
  return n;
}

inline std::string text_of(const Trace& t) {
  std::string text;
  print(t, {.times = false, .layers = true}, [&](std::string_view piece) { text += piece; });
  return text;
}

/// The calls of a rank's outer stream, and of a layer with what its stream leaves to the outer one.
inline Calls calls_of(const Process& merged, const Trace& t, uint32_t rank, uint32_t thread = 0,
                      const std::string& layer = {}) {
  Calls calls;
  Process process = at_rank(merged, rank);
  auto run = [&](const std::vector<Node>& nodes, bool only_layer, uint64_t limit) {
    trace::Expander expander(nodes);
    for (auto e = expander.next(); e.node && limit > 0; e = expander.next()) {
      if (only_layer && t.signatures[e.node->signature].layer != layer) continue;
      calls.push_back({static_cast<uint32_t>(t.signatures[e.node->signature].site - 1),
                       {e.parameters.begin(), e.parameters.end()}});
      --limit;
    }
    EXPECT_FALSE(expander.damaged()) << "rank " << rank;
  };
  for (const Stream& s : process.streams) {
    if (s.thread != thread || s.layer != layer) continue;
    if (s.prefix.constant() > 0)
      for (const Stream& outer : process.streams)
        if (outer.thread == thread && outer.layer.empty())
          run(outer.nodes, true, static_cast<uint64_t>(s.prefix.constant()));
    run(s.nodes, false, UINT64_MAX);
  }
  return calls;
}

/// Says where two lists of calls differ first.
inline testing::AssertionResult same_calls(const Calls& now, const Calls& before) {
  auto text = [](const Calls& calls, size_t i) {
    if (i >= calls.size()) return std::string("nothing");
    std::string out = spmd::prototypes()[calls[i].function].name;
    for (int64_t v : calls[i].values) out += " " + std::to_string(v);
    return out;
  };
  if (now == before) return testing::AssertionSuccess();
  size_t i = 0;
  while (i < now.size() && i < before.size() && now[i] == before[i]) ++i;
  return testing::AssertionFailure() << "call " << i << " of " << before.size() << ": " << text(now, i)
                                     << " instead of " << text(before, i);
}

inline void expect_readable(const Trace& t) {
  ASSERT_TRUE(format::check(t)) << format::check(t).error().text();
  auto again = format::decode(format::encode(t));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(format::encode(*again), format::encode(t));
}

/// A trace of one of eight ranks.
inline Trace one_rank(uint32_t rank, std::vector<Stream> streams) {
  Trace t = spmd::trace_of({}, {rank, 8});
  t.processes[0].streams = std::move(streams);
  return t;
}

inline Node call(uint32_t function, std::vector<int64_t> values) {
  Node node{.signature = function};
  for (int64_t v : values) node.parameters.push_back(trace::Value::constant(v));
  node.timing.duration.add(5);
  return node;
}

}  // namespace refrain::merge
