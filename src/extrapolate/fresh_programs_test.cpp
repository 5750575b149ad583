// Ten programs whose laws nobody had in mind when the search was first written: none is refused, and at other
// numbers of ranks each is right or in doubt.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "compare/compare.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "scale/at_size.hpp"
#include "trace/factors.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;
using Nodes = std::vector<Node>;

int64_t extent(int64_t p, int64_t n, int64_t i) { return trace::grid_extent(p, n, i); }
int64_t block_start(int64_t total, int64_t n, int64_t k) { return k * (total / n) + std::min(k, total % n); }
int64_t block_size(int64_t total, int64_t n, int64_t k) { return total / n + (k < total % n ? 1 : 0); }

/// Rows of a matrix in uneven blocks of both dimensions.
Nodes matrix(int64_t r, int64_t p) {
  int64_t x = extent(p, 2, 0), y = extent(p, 2, 1);
  int64_t row = block_start(5000, x, r / y), column = block_start(3001, y, r % y);
  int64_t rows = block_size(5000, x, r / y), columns = block_size(3001, y, r % y);
  return {
      loop(rows, {transfer(trace::Value::constant(columns * 8), line((row * 3001 + column) * 8, 3001 * 8))})};
}

Nodes groups_of_eight(int64_t r, int64_t) {
  Nodes nodes{call(0, r / 8), loop(5, {transfer(line(65536, 0), line(512 + r % 8 * 65536, 8 * 65536))})};
  if (r % 8 == 7) nodes.push_back(call(1, 512));
  nodes.push_back(call(2, r / 8));
  return nodes;
}

Nodes triangle(int64_t r, int64_t p) {
  return {transfer((r + 1) * 64, r * (r + 1) / 2 * 64), call(1, p * (p + 1) / 2 * 64)};
}

Nodes reversed(int64_t r, int64_t p) {
  Nodes nodes{loop(4, {transfer(line(4096, 0), line((p - 1 - r) * 4096, p * 4096))})};
  if (r == p - 1) nodes.push_back(call(1, 4 * p * 4096));
  return nodes;
}

Nodes header(int64_t r, int64_t p) {
  Nodes nodes;
  if (r == 0) nodes.push_back(call(0, 512 + 24 * p));
  nodes.push_back(loop(6, {transfer(line(100000, 0), line(512 + 24 * p + r * 100000, p * 100000))}));
  return nodes;
}

Nodes rounded_down(int64_t r, int64_t p) {
  constexpr int64_t n = 7654321;
  int64_t a = r * n / p, b = (r + 1) * n / p;
  return {loop(3, {transfer(line((b - a) * 4, 0), line(a * 4, n * 4))})};
}

Nodes equal_parts(int64_t r, int64_t p) {
  constexpr int64_t n = 55440 * 1024;
  return {call(0, r), loop(10, {transfer(line(n / p * 8, 0), line(0, n / p * 8))})};
}

Nodes borders(int64_t r, int64_t p) {
  int64_t y = extent(p, 3, 1), z = extent(p, 3, 2);
  int64_t iz = r % z, iy = r / z % y, ix = r / (z * y);
  Nodes body;
  if (iz + 1 < z) body.push_back(call(0, r + 1));
  if (ix > 0) body.push_back(call(1, r - z * y));
  body.push_back(transfer(iy * 32, ix * 64));
  body.push_back(call(2, iz * 16));
  return {loop(4, std::move(body))};
}

Nodes nodes_of_24(int64_t r, int64_t) {
  Nodes nodes{call(0, 0)};
  if (r % 24 == 0) {
    nodes.push_back(call(1, r / 24));
    nodes.push_back(loop(24, {transfer(line(1000, 0), line(0, 1000))}));
  }
  nodes.push_back(call(2, 0));
  return nodes;
}

Nodes square_root(int64_t r, int64_t p) {
  int64_t q = trace::root_of(p, 2);
  Nodes nodes;
  if (r < q) nodes.push_back(loop(3, {transfer(line(4096, 0), line(r * 4096, q * 4096))}));
  nodes.push_back(transfer(512, q * 3 * 4096 + r * 512));
  return nodes;
}

std::string difference_of(const Result<compare::Comparison>& compared) {
  if (!compared || !compared->difference) return "";
  const compare::Difference& d = *compared->difference;
  return "rank " + std::to_string(d.rank.value_or(0)) + ", event " + std::to_string(d.event) + ": " +
         d.calls[0] + ", not " + d.calls[1];
}

TEST(FreshPrograms, are_never_refused_and_never_wrong_without_a_word) {
  const std::map<std::string, Program> programs{
      {"matrix", matrix},           {"groups_of_eight", groups_of_eight},
      {"triangle", triangle},       {"reversed", reversed},
      {"header", header},           {"rounded_down", rounded_down},
      {"equal_parts", equal_parts}, {"borders", borders},
      {"nodes_of_24", nodes_of_24}, {"square_root", square_root}};
  const std::vector<std::vector<uint32_t>> sets{
      {6, 16, 27, 32}, {4, 8, 16, 32}, {8, 18, 30, 48}, {4, 9, 16, 25}, {5, 7, 12, 20}};
  int certain = 0;
  for (const auto& [name, program] : programs)
    for (const std::vector<uint32_t>& sizes : sets) {
      bool slow = name == "borders" && sizes.back() != 32;
      if (slow) continue;
      std::string from = name + " from " + std::to_string(sizes[0]) + ".." + std::to_string(sizes.back());
      std::vector<trace::Trace> runs;
      for (uint32_t size : sizes) runs.push_back(run_of(program, size));
      auto free = extrapolate(runs);
      ASSERT_TRUE(free) << from << ": " << free.error().text();
      if (name == "nodes_of_24" && sizes.back() < 24) continue;  // no run shows what rank 24 does
      for (uint32_t target : {36u, 64u, 100u, 343u}) {
        auto here = scale::at_size(*free, target);
        bool doubt = !here || !scale::doubts_at_size(*free, target).empty();
        auto compared =
            here ? compare::compare(*here, run_of(program, target)) : Result<compare::Comparison>{};
        bool same = here && compared && !compared->difference;
        EXPECT_TRUE(same || doubt) << from << " at " << target << ": " << difference_of(compared);
        certain += same && !doubt ? 1 : 0;
      }
    }
  RecordProperty("certain", certain);
  EXPECT_GT(certain, 80);
}

}  // namespace
}  // namespace refrain::extrapolate
