// Forms of sharing, grouping and placing that real programs have, one small program each. From runs at a few
// numbers of ranks each is exact at others, and certain where that is said here, or may be in doubt or
// refused where it is not; none is wrong without a word.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "compare/compare.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "scale/at_size.hpp"
#include "trace/factors.hpp"
#include "trace/text.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;
using Nodes = std::vector<Node>;

int64_t root(int64_t p) { return trace::root_of(p, 2); }
int64_t share(int64_t total, int64_t n, int64_t k) { return total / n + (k < total % n ? 1 : 0); }
int64_t start(int64_t total, int64_t n, int64_t k) { return k * (total / n) + std::min(k, total % n); }

/// Values by the index of a loop, as recording folds them.
trace::Value listed(const std::vector<int64_t>& values) {
  int64_t step = values.size() > 1 ? values[1] - values[0] : 0;
  bool on_line = true;
  for (size_t i = 1; i < values.size(); ++i) on_line &= values[i] - values[i - 1] == step;
  if (on_line) return line(values[0], step);
  return {.form = trace::Form::separable,
          .column = std::make_shared<const trace::Column>(trace::Column::of(values))};
}
/// Transfers in a loop, whatever the size and offset of each.
void transfers(Nodes& nodes, const std::vector<int64_t>& sizes, const std::vector<int64_t>& offsets) {
  if (sizes.size() == 1) nodes.push_back(transfer(sizes[0], offsets[0]));
  if (sizes.size() > 1) nodes.push_back(loop(std::ssize(sizes), {transfer(listed(sizes), listed(offsets))}));
}

/// Rows until they run out: the last rank has less, later ones nothing.
Nodes rounded_up_rows(int64_t r, int64_t p) {
  int64_t each = (1000 + p - 1) / p, own = std::clamp<int64_t>(1000 - r * each, 0, each);
  if (own == 0) return {};
  return {loop(own, {transfer(line(800, 0), line(r * each * 800, 800))})};
}

/// A quarter of the ranks write for all, before blocks that are dealt in turn: neither is made of the other's
/// numbers.
Nodes aggregators_and_dealt_blocks(int64_t r, int64_t p) {
  constexpr int64_t size = 1 << 20;
  int64_t n = p / 4, apart = p / n, block = p * size / n, own = share(78, p, r);
  Nodes nodes{transfer((p - r) * 8, (r * p - r * (r - 1) / 2) * 8)};
  if (r % apart == 0 && r / apart < n) nodes.push_back(transfer(block, r / apart * p * size / n));
  if (own > 0) nodes.push_back(loop(own, {transfer(line(size, 0), line(r * size, p * size))}));
  return nodes;
}

/// The first of four writes for all of them, whose sizes repeat after three.
Nodes leaders_loop(int64_t r, int64_t p) {
  if (r % 4 != 0) return {call(0, r / 4)};
  std::vector<int64_t> sizes, offsets;
  for (int64_t m = r; m < std::min(r + 4, p); ++m) {
    sizes.push_back(100 * (1 + m % 3));
    offsets.push_back(m * 300);
  }
  Nodes nodes;
  transfers(nodes, sizes, offsets);
  return nodes;
}

Nodes reversed_slabs(int64_t r, int64_t p) {
  int64_t owner = p - 1 - r;
  return {transfer(share(1000, p, owner) * 8, start(1000, p, owner) * 8)};
}
Nodes rotated_slabs(int64_t r, int64_t p) {
  int64_t owner = (r + 3) % p;
  return {transfer(share(1000, p, owner) * 8, start(1000, p, owner) * 8)};
}

Nodes teams_of_roots(int64_t r, int64_t p) {
  int64_t team = root(p);
  return {call(0, r / team), transfer(512, 1024 + r % team * 512)};
}
Nodes teams_of_roots_rounded_up(int64_t r, int64_t p) {
  int64_t team = root(p) * root(p) == p ? root(p) : root(p) + 1;
  return {call(0, r / team), transfer(512, 1024 + r % team * 512)};
}

/// ScaLAPACK's numroc: how many of 1000 columns in blocks of 16 are on a rank.
Nodes block_cyclic(int64_t r, int64_t p) {
  int64_t blocks = 1000 / 16, own = blocks / p * 16, rest = blocks % p;
  own += r < rest ? 16 : r == rest ? 1000 % 16 : 0;
  return {transfer(own * 8, 0)};
}
/// The same blocks one by one: the last of all is smaller.
Nodes block_cyclic_loop(int64_t r, int64_t p) {
  std::vector<int64_t> sizes, offsets;
  for (int64_t at = r * 16; at < 1000; at += p * 16) {
    sizes.push_back(std::min<int64_t>(16, 1000 - at) * 8);
    offsets.push_back(at * 8);
  }
  Nodes nodes;
  transfers(nodes, sizes, offsets);
  return nodes;
}

/// 10008 blocks dealt round robin, then one for each rank and 24 more: 24/P is (10008/P)%8 where P
/// divides 32.
Nodes dealt_twice(int64_t r, int64_t p) {
  Nodes nodes;
  for (int64_t blocks : {int64_t{10008}, p + 24}) {
    nodes.push_back(loop((blocks - r + p - 1) / p, {transfer(line(100, 0), line(r * 100, p * 100))}));
    nodes.back().body[0].signature += static_cast<uint32_t>(nodes.size());
  }
  return nodes;
}

/// Boxes of three levels of refinement, each dealt round robin.
Nodes boxes_by_level(int64_t r, int64_t p) {
  Nodes nodes;
  for (int64_t level = 0; level < 3; ++level) {
    int64_t boxes = (level + 1) * p + 5 * level, own = (boxes - r + p - 1) / p;
    Node one = loop(own, {transfer(line(4096, 0), line(r * 4096, p * 4096))});
    one.body[0].signature += static_cast<uint32_t>(level);
    nodes.push_back(std::move(one));
  }
  return nodes;
}

/// Cells of a cube on diagonals, as NPB BT-IO places them.
Nodes diagonals(int64_t r, int64_t p) {
  int64_t q = root(p);
  std::vector<int64_t> sizes, offsets;
  for (int64_t k = 0; k < q; ++k) {
    sizes.push_back(640);
    offsets.push_back((r % q + k) % q * 640);
  }
  Nodes nodes;
  transfers(nodes, sizes, offsets);
  return nodes;
}

/// The other way round in each of five steps, two calls for each, and as recording folds it: what goes down
/// is a loop.
Nodes split_diagonals(int64_t r, int64_t p) {
  int64_t q = root(p);
  std::vector<int64_t> offsets;
  for (int64_t k = 0; k < q; ++k) offsets.push_back((r / q - k + q) % q * 640);
  Nodes step;
  for (size_t i = 0; i < offsets.size();) {
    size_t end = i + 1;
    while (end < offsets.size() && offsets[end] == offsets[end - 1] - 640) ++end;
    bool folds = end - i > 2;
    trace::Value offset{.base = offsets[i], .slopes = {1048576, folds ? -640 : 0}};
    Nodes calls{transfer(trace::Value::constant(640), offset), transfer(trace::Value::constant(8), offset)};
    for (size_t c : {0, 1}) calls[c].signature = static_cast<uint32_t>(4 + c);
    if (folds) calls = {loop(static_cast<int64_t>(end - i), std::move(calls))};
    step.insert(step.end(), calls.begin(), calls.end());
    i = folds ? end : i + 1;
  }
  return {loop(5, std::move(step))};
}

/// The rows of such cells in planes of 120 x 120, one by one: nested loops around one call are a list.
Nodes rows_of_diagonals(int64_t r, int64_t p) {
  int64_t q = root(p), edge = 120 / q;
  std::vector<int64_t> sizes, offsets;
  for (int64_t c = 0; c < q; ++c)
    for (int64_t k = 0; k < q; ++k)
      for (int64_t j = 0; j < edge; ++j) {
        int64_t x = (r % q + c) % q * edge, y = (r / q - c + q) % q * edge + j, z = c * q + k;
        sizes.push_back(edge * 8);
        offsets.push_back(((z * 120 + y) * 120 + x) * 8);
      }
  Nodes nodes;
  transfers(nodes, sizes, offsets);
  return nodes;
}

/// 16, 32, 64 … as many as the logarithm of P.
Nodes geometric(int64_t r, int64_t p) {
  std::vector<int64_t> sizes, offsets;
  for (int64_t size = 16, n = 1; n < 2 * p; n *= 2, size *= 2) {
    sizes.push_back(size);
    offsets.push_back(r * 1048576);
  }
  Nodes nodes;
  transfers(nodes, sizes, offsets);
  return nodes;
}

/// A rank of a grid whose side is open makes a call more.
Nodes flat_rim(int64_t r, int64_t p) {
  int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1), i = r / y, j = r % y;
  if (i == 0 || j == 0 || i == x - 1 || j == y - 1) return {call(0, r), call(1, 0)};
  return {call(0, r)};
}
Nodes cubic_rim(int64_t r, int64_t p) {
  int64_t x = trace::grid_extent(p, 3, 0), y = trace::grid_extent(p, 3, 1), z = trace::grid_extent(p, 3, 2);
  int64_t i = r / (y * z), j = r / z % y, k = r % z;
  if (i == 0 || j == 0 || k == 0 || i == x - 1 || j == y - 1 || k == z - 1) return {call(0, r), call(1, 0)};
  return {call(0, r)};
}

/// A shared file pointer: each rank writes after those before it, whose sizes repeat after three.
Nodes periodic_total(int64_t r, int64_t p) {
  auto before = [](int64_t n) { return 8 * (n + n / 3 * 3 + (n % 3 == 2 ? 1 : 0)); };
  Nodes nodes{transfer(8 * (1 + r % 3), before(r))};
  if (r == 0) nodes.push_back(call(0, before(p)));
  return nodes;
}

/// iosample: a square grid, of whose sizes several arguments speak.
Nodes sample_of_grid(int64_t r, int64_t p) {
  int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1);
  return {call(0, y * 64), call(1, x * 32), transfer(64 * 32, (r / y * 32 * y + r % y) * 64)};
}

/// Neighbors in a cube, of ranks in teams of sqrt(P).
Nodes cube_and_teams(int64_t r, int64_t p) {
  int64_t plane = trace::grid_extent(p, 3, 1) * trace::grid_extent(p, 3, 2);
  return {call(0, r < plane ? -1 : r - plane), call(1, r / root(p))};
}

/// A block of a matrix that only every third rank writes.
Nodes some_blocks(int64_t r, int64_t p) {
  int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1), i = r / y, j = r % y;
  if (r % 3 != 0) return {call(0, 0)};
  return {transfer(share(1000, x, i) * share(777, y, j), start(1000, x, i) * 777 + start(777, y, j))};
}

/// The first block of a matrix: one number per run tells both totals.
Nodes first_block(int64_t r, int64_t p) {
  int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1);
  if (r != 0) return {call(0, 0)};
  return {transfer(share(65537, x, 0) * (777 / y), 0)};
}

/// The last block: where it begins follows from what its size says.
Nodes last_block(int64_t r, int64_t p) {
  int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1);
  if (r != p - 1) return {call(0, 0)};
  return {transfer(share(10007, x, x - 1) * share(999983, y, y - 1),
                   start(10007, x, x - 1) * 1000000 + start(999983, y, y - 1))};
}

/// Shares of which every seventh rank shows one.
Nodes seventh_shares(int64_t r, int64_t p) {
  if (r % 7 != 6) return {call(0, 0)};
  return {transfer(share(777, p, r), start(777, p, r))};
}

std::string text_of(const trace::Trace& t) {
  std::string text;
  trace::print(t, {.times = false}, [&](std::string_view piece) { text += piece; });
  return text;
}

/// What comes of a program: `certain` is exact and without a doubt, `right` exact, perhaps in doubt.
enum class Outcome : uint8_t { refused, doubtful, right, certain };
constexpr const char* outcome_names[] = {"refused", "doubtful", "right", "certain"};

Outcome outcome_of(const std::string& name, const Program& program, const std::vector<uint32_t>& sizes) {
  std::vector<trace::Trace> runs;
  for (uint32_t size : sizes) runs.push_back(run_of(program, size));
  auto free = extrapolate(runs, {.times = false});
  if (!free) return Outcome::refused;
  Outcome all = Outcome::certain;
  for (uint32_t target : {64u, 100u}) {
    auto here = scale::at_size(*free, target);
    bool doubt = !here || !scale::doubts_at_size(*free, target).empty();
    auto compared = here ? compare::compare(*here, run_of(program, target)) : Result<compare::Comparison>{};
    bool same = here && compared && !compared->difference;
    EXPECT_TRUE(same || doubt) << name << " from " << sizes[0] << ".. at " << target << ": "
                               << (compared && compared->difference ? compared->difference->calls[0] : "")
                               << "\n"
                               << text_of(*free);
    all = std::min(all, !same ? Outcome::doubtful : doubt ? Outcome::right : Outcome::certain);
  }
  return all;
}

TEST(Forms, are_exact_from_runs_of_their_kind) {
  using enum Outcome;
  using Sizes = std::vector<uint32_t>;
  struct Form {
    Program program{};
    Outcome advised{}, other{};  ///< at least, from the runs that are advised and from four others
    Sizes from{4, 9, 23, 36}, otherwise{6, 16, 27, 32};
  };
  const std::map<std::string, Form> forms{
      {"rounded up rows", {rounded_up_rows, right, right}},
      {"aggregators and dealt blocks", {aggregators_and_dealt_blocks, doubtful, doubtful}},
      {"leaders loop", {leaders_loop, certain, certain}},
      {"reversed slabs", {reversed_slabs, certain, right}},
      {"rotated slabs", {rotated_slabs, certain, certain}},
      {"teams of roots", {teams_of_roots, certain, certain}},
      {"teams of roots rounded up", {teams_of_roots_rounded_up, certain, certain}},
      {"block cyclic", {block_cyclic, right, right}},
      {"block cyclic loop", {block_cyclic_loop, right, right}},
      {"dealt twice", {dealt_twice, right, certain, {4, 8, 16, 32}, {6, 16, 27, 32}}},
      {"boxes by level", {boxes_by_level, certain, certain}},
      {"diagonals", {diagonals, certain, right, {4, 9, 16, 36}, {4, 9, 25, 49}}},
      {"split diagonals", {split_diagonals, certain, certain, {4, 9, 16, 36}, {9, 16, 25, 36}}},
      {"rows of diagonals", {rows_of_diagonals, right, right, {4, 9, 16, 36}, {4, 9, 25, 36}}},
      {"geometric", {geometric, certain, right}},
      {"cube and teams", {cube_and_teams, doubtful, doubtful, {4, 9, 23, 36}, {4, 8, 16, 32}}},
      {"flat rim", {flat_rim, right, right}},
      {"cubic rim", {cubic_rim, doubtful, refused}},  // one run has a rank inside, or none
      {"periodic total", {periodic_total, certain, certain}},
      {"sample of grid", {sample_of_grid, certain, right, {4, 9, 23, 36}, {8, 16, 24, 32}}},
      {"some blocks", {some_blocks, right, right}},
      {"first block", {first_block, doubtful, doubtful}},
      {"last block", {last_block, right, right}},
      {"seventh shares", {seventh_shares, certain, right, {4, 9, 23, 36}, {5, 8, 9, 24}}}};
  for (const auto& [name, form] : forms) {
    Outcome advised = outcome_of(name, form.program, form.from);
    Outcome other = outcome_of(name, form.program, form.otherwise);
    EXPECT_GE(advised, form.advised) << name << ": " << outcome_names[static_cast<int>(advised)];
    EXPECT_GE(other, form.other) << name << ", other runs: " << outcome_names[static_cast<int>(other)];
  }
}

}  // namespace
}  // namespace refrain::extrapolate
