// What every test of folding asks: does the tree expand to exactly what was recorded?
#pragma once

#include <gtest/gtest.h>

#include "fold/acceptance.hpp"
#include "format/node_code.hpp"
#include "format/timing_code.hpp"
#include "trace/expand.hpp"

namespace refrain::fold {

using Tree = std::vector<trace::Node>;

inline acceptance::Recording expand(const Tree& tree) {
  acceptance::Recording r;
  trace::Expander expander(tree);
  for (auto e = expander.next(); e.node; e = expander.next()) {
    r.calls.push_back(e.node->signature);
    r.parameters.insert(r.parameters.end(), e.parameters.begin(), e.parameters.end());
  }
  EXPECT_FALSE(expander.damaged());
  return r;
}

inline size_t count_nodes(const Tree& tree) {
  size_t n = tree.size();
  for (const auto& node : tree) n += count_nodes(node.body);
  return n;
}

inline std::vector<uint8_t> encoded(const Tree& tree) {
  ByteWriter w;
  format::write_nodes(w, tree);
  return w.take();
}

/// Everything that a part file would hold: structure, values and times.
inline std::vector<uint8_t> encoded_with_times(const Tree& tree) {
  ByteWriter w;
  format::write_nodes(w, tree);
  format::write_timings(w, tree);
  return w.take();
}

struct Totals {
  uint64_t count = 0, gap = 0, duration = 0, communication = 0;
  bool operator==(const Totals&) const = default;
};

inline void add_totals(const Tree& tree, Totals& sum) {
  for (const auto& node : tree) {
    sum.count += node.timing.duration.count();
    sum.gap += node.timing.gap.sum_ns();
    sum.duration += node.timing.duration.sum_ns();
    sum.communication += node.timing.communication.total_ns();
    if (node.kind == trace::NodeKind::event) {
      EXPECT_EQ(node.timing.gap.count(), node.timing.duration.count());
    }
    add_totals(node.body, sum);
  }
}

inline Tree fold_all(const acceptance::Recording& r, Options options = {}, uint64_t* work = nullptr) {
  Folder folder(options);
  acceptance::declare_all(folder);
  acceptance::feed(folder, r, 0, r.size(), r.parameters.data());
  EXPECT_EQ(folder.events(), r.size());
  if (work) *work = folder.work();
  return folder.finish();
}

/// Whether every event is one that was recorded: what never ran has no values, and readers refuse it.
inline bool all_ran(const Tree& tree) {
  for (const auto& node : tree)
    if (node.kind == trace::NodeKind::event ? node.timing.duration.count() == 0 : !all_ran(node.body))
      return false;
  return true;
}

/// The tree is exact, its times add up, and the file format accepts it.
inline void expect_exact(const Tree& tree, const acceptance::Recording& r) {
  ASSERT_TRUE(expand(tree) == r);
  EXPECT_TRUE(all_ran(tree));
  Totals expected, found;
  for (size_t i = 0; i < r.size(); ++i) {
    ++expected.count;
    expected.gap += acceptance::gap_of(i);
    expected.duration += acceptance::duration_of(i);
    expected.communication += acceptance::communication_of(i).total_ns();
  }
  add_totals(tree, found);
  EXPECT_TRUE(expected == found);
  std::vector<uint32_t> parameters;
  for (uint32_t c = 0; c < acceptance::call_count; ++c)
    parameters.push_back(acceptance::shape_of(c).parameters);
  auto bytes = encoded(tree);
  ByteReader in(bytes);
  Tree back = format::read_nodes(in, parameters);
  ASSERT_TRUE(in.ok()) << in.reason();
  EXPECT_EQ(encoded(back), bytes);
}

}  // namespace refrain::fold
