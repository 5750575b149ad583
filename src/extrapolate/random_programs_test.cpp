// Random programs: weak and strong scaling, grids of one to three dimensions, remainders shared in several
// ways, conditions, aggregators, loops. From runs at a few numbers of ranks, at numbers far beyond, each is
// right, refused, or in doubt. REFRAIN_ROUNDS=1000 looks for longer and says what is refused,
// REFRAIN_SEED=5000 looks elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>

#include "compare/compare.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "trace/at_size.hpp"
#include "trace/factors.hpp"
#include "trace/text.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;

/// An integer over rank and number of ranks, and what it is in words.
struct Quantity {
  std::function<int64_t(int64_t r, int64_t p)> of{};
  std::string text{};
};

/// Where a rank stands in its grid: place number `k` of `n` in one dimension.
struct Dimension {
  Quantity k{}, n{};
};

class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : random_(seed) {
    make_dimensions();
    auto statements = 1 + below(3);
    for (int64_t i = 0; i < statements; ++i) statement();
  }

  std::vector<Node> operator()(int64_t r, int64_t p) const {
    std::vector<Node> nodes;
    for (const auto& make : statements_) make(r, p, nodes);
    return nodes;
  }
  const std::string& text() const { return text_; }

 private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }

  void make_dimensions() {
    int64_t n = below(3);
    if (n == 0) {
      dimensions_.push_back(
          {{[](int64_t r, int64_t) { return r; }, "r"}, {[](int64_t, int64_t p) { return p; }, "p"}});
      return;
    }
    int64_t d = n + 1;
    for (int64_t i = 0; i < d; ++i) {
      auto inner = [d, i](int64_t p) {
        int64_t product = 1;
        for (int64_t j = i + 1; j < d; ++j) product *= trace::grid_extent(p, d, j);
        return product;
      };
      std::string name = std::to_string(d) + "d" + std::to_string(i);
      dimensions_.push_back(
          {{[=](int64_t r, int64_t p) { return r / inner(p) % trace::grid_extent(p, d, i); }, "k" + name},
           {[=](int64_t, int64_t p) { return trace::grid_extent(p, d, i); }, "n" + name}});
    }
  }

  int64_t total() {
    const int64_t totals[] = {1000, 1024, 4096, 10007, 55440, 65536, 1000003, 777};
    return totals[below(8)] * (below(3) == 0 ? 1 + below(50) : 1);
  }

  /// What a place has of a total, and where that begins.
  struct Share {
    Quantity size{}, start{};
  };
  Share share(const Dimension& d) {
    int64_t t = total();
    auto k = d.k.of, n = d.n.of;
    std::string of = std::to_string(t) + " over " + d.n.text;
    switch (below(6)) {
      case 0:
        return {
            {[=](int64_t r, int64_t p) { return t / n(r, p) + (k(r, p) < t % n(r, p) ? 1 : 0); },
             "first more of " + of},
            {[=](int64_t r, int64_t p) { return k(r, p) * (t / n(r, p)) + std::min(k(r, p), t % n(r, p)); },
             "start, first more of " + of}};
      case 1:
        return {
            {[=](int64_t r, int64_t p) { return t / n(r, p) + (k(r, p) == n(r, p) - 1 ? t % n(r, p) : 0); },
             "rest to last of " + of},
            {[=](int64_t r, int64_t p) { return k(r, p) * (t / n(r, p)); }, "start, rest to last of " + of}};
      case 2:
        return {{[=](int64_t r, int64_t p) { return (k(r, p) + 1) * t / n(r, p) - k(r, p) * t / n(r, p); },
                 "rounded of " + of},
                {[=](int64_t r, int64_t p) { return k(r, p) * t / n(r, p); }, "start, rounded of " + of}};
      case 3: {
        auto block = [=](int64_t r, int64_t p) { return (t + n(r, p) - 1) / n(r, p); };
        return {{[=](int64_t r, int64_t p) {
                   return std::max<int64_t>(0, std::min(block(r, p), t - k(r, p) * block(r, p)));
                 },
                 "rounded up of " + of},
                {[=](int64_t r, int64_t p) { return k(r, p) * block(r, p); }, "start, rounded up of " + of}};
      }
      case 4:
        return {{[=](int64_t r, int64_t p) { return t / n(r, p); }, "quotient of " + of},
                {[=](int64_t r, int64_t p) { return k(r, p) * (t / n(r, p)); }, "start, quotient of " + of}};
      default:
        return {{[=](int64_t, int64_t) { return t; }, "weak " + std::to_string(t)},
                {[=](int64_t r, int64_t p) { return k(r, p) * t; },
                 "start, weak " + std::to_string(t) + d.k.text}};
    }
  }

  Quantity condition() {
    const Dimension& d = dimensions_[static_cast<size_t>(below(static_cast<int64_t>(dimensions_.size())))];
    auto k = d.k.of, n = d.n.of;
    int64_t g = 2 + below(7);
    switch (below(9)) {
      case 0:
        return {[](int64_t r, int64_t) { return r == 0; }, "r == 0"};
      case 1:
        return {[](int64_t r, int64_t p) { return r == p - 1; }, "r == p-1"};
      case 2:
        return {[=](int64_t r, int64_t) { return r % g == 0; }, "r % " + std::to_string(g) + " == 0"};
      case 3:
        return {[=](int64_t r, int64_t) { return r % g == g - 1; }, "r % " + std::to_string(g) + " last"};
      case 4:
        return {[=](int64_t r, int64_t) { return r < g; }, "r < " + std::to_string(g)};
      case 5:
        return {[=](int64_t r, int64_t p) { return k(r, p) > 0; }, d.k.text + " > 0"};
      case 6:
        return {[=](int64_t r, int64_t p) { return k(r, p) + 1 < n(r, p); }, d.k.text + " not last"};
      case 7:
        return {[](int64_t r, int64_t p) { return r < p / 2; }, "r < p/2"};
      default:
        return {[](int64_t, int64_t) { return 1; }, "all"};
    }
  }

  Quantity count(const Share& s) {
    int64_t n = 2 + below(8), chunk = int64_t{1} << (4 + below(8));
    switch (below(5)) {
      case 0:
        return {[=](int64_t, int64_t p) { return p; }, "p times"};
      case 1: {
        auto size = s.size.of;
        return {[=](int64_t r, int64_t p) { return (size(r, p) + chunk - 1) / chunk; },
                "size/" + std::to_string(chunk) + " times"};
      }
      default:
        return {[=](int64_t, int64_t) { return n; }, std::to_string(n) + " times"};
    }
  }

  Quantity number() {
    int64_t g = 2 + below(9), t = total();
    switch (below(8)) {
      case 0:
        return {[=](int64_t r, int64_t) { return r / g; }, "r/" + std::to_string(g)};
      case 1:
        return {[=](int64_t r, int64_t p) { return (r + g) % p; }, "(r+" + std::to_string(g) + ")%p"};
      case 2:
        return {[=](int64_t, int64_t p) { return p * t + g; },
                "p*" + std::to_string(t) + "+" + std::to_string(g)};
      case 3:
        return {[=](int64_t r, int64_t p) { return r * g / p; }, "aggregator r*" + std::to_string(g) + "/p"};
      case 4:
        return {[=](int64_t r, int64_t p) { return r / ((p + g - 1) / g); }, "group of " + std::to_string(g)};
      case 5:
        return {[=](int64_t r, int64_t) { return r * (r + 1) / 2 * g; }, "triangle"};
      case 6:
        return {[=](int64_t r, int64_t) { return r ^ 1; }, "r^1"};
      default:
        return {[=](int64_t, int64_t p) { return t / p; }, std::to_string(t) + "/p"};
    }
  }

  void statement() {
    Quantity who = condition();
    bool in_loop = below(2) == 0, numbered = below(3) == 0;
    Quantity size{[](int64_t, int64_t) { return 1; }, ""}, start{[](int64_t, int64_t) { return 0; }, ""};
    Share last;
    for (const Dimension& d : dimensions_) {
      last = share(d);
      auto a = size.of, b = last.size.of, c = start.of, e = last.start.of;
      size = {[=](int64_t r, int64_t p) { return a(r, p) * b(r, p); }, size.text + "; " + last.size.text};
      int64_t pitch = total();
      start = {[=](int64_t r, int64_t p) { return c(r, p) * pitch + e(r, p); },
               start.text + "*" + std::to_string(pitch)};
    }
    Quantity times = count(last), id = number();
    text_ += "[" + who.text + "] " + (numbered ? "number " + id.text : size.text + " at " + start.text) +
             (in_loop ? ", " + times.text : "") + "\n";
    auto place = static_cast<uint32_t>(statements_.size());
    statements_.push_back([=](int64_t r, int64_t p, std::vector<Node>& nodes) {
      if (who.of(r, p) == 0) return;
      if (numbered) return nodes.push_back(call(place, id.of(r, p)));
      int64_t bytes = size.of(r, p), from = start.of(r, p);
      Node one = in_loop ? transfer(line(bytes, 0), line(from, bytes)) : transfer(bytes, from);
      one.signature += 1 + place;
      if (!in_loop) return nodes.push_back(std::move(one));
      if (int64_t n = times.of(r, p); n > 0) nodes.push_back(loop(n, {std::move(one)}));
    });
  }

  std::mt19937_64 random_;
  std::vector<Dimension> dimensions_;
  std::vector<std::function<void(int64_t, int64_t, std::vector<Node>&)>> statements_;
  std::string text_;
};

enum class Outcome : uint8_t { right, doubtful, wrong };

Outcome outcome_at(const trace::Trace& free, const RandomProgram& program, uint32_t target,
                   std::string& why) {
  auto here = trace::at_size(free, target);
  if (!here) return Outcome::doubtful;
  auto compared = compare::compare(*here, run_of(program, target));
  if (compared && !compared->difference) return Outcome::right;
  if (!trace::doubts_at_size(free, target).empty()) return Outcome::doubtful;
  if (compared)
    why = compared->difference->calls[0] + ", not " + compared->difference->calls[1] + " on rank " +
          std::to_string(compared->difference->rank.value_or(0));
  return Outcome::wrong;
}

std::string text_of(const trace::Trace& t) {
  std::string text;
  trace::print(t, {.times = false}, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(RandomPrograms, are_right_refused_or_in_doubt) {
  const std::vector<std::vector<uint32_t>> sets{{6, 16, 27, 32}, {4, 8, 16, 32}, {8, 18, 30, 48},
                                                {4, 9, 16, 25},  {5, 7, 12, 20}, {5, 8, 9, 24}};
  const char* longer = std::getenv("REFRAIN_ROUNDS");
  const char* begin = std::getenv("REFRAIN_SEED");
  uint64_t from = begin ? std::strtoull(begin, nullptr, 10) : 1;
  uint64_t rounds = longer ? std::strtoull(longer, nullptr, 10) : 9;
  std::vector<uint32_t> targets{36, 100};
  if (longer) targets.push_back(343);
  int right = 0, doubtful = 0, refused = 0;
  for (uint64_t seed = from; seed < from + rounds; ++seed) {
    RandomProgram program(seed);
    const std::vector<uint32_t>& sizes = sets[seed % sets.size()];
    std::vector<trace::Trace> runs;
    for (uint32_t size : sizes) runs.push_back(run_of(program, size));
    auto free = extrapolate(runs, {.times = false});
    if (!free) {
      ++refused;
      if (longer)
        std::printf("seed %d refused: %s\n%s", static_cast<int>(seed), free.error().text().c_str(),
                    program.text().c_str());
      continue;
    }
    for (uint32_t target : targets) {
      std::string why;
      Outcome outcome = outcome_at(*free, program, target, why);
      EXPECT_NE(outcome, Outcome::wrong) << "seed " << seed << " from " << sizes[0] << ".." << sizes.back()
                                         << " at " << target << ": " << why << "\n"
                                         << program.text() << text_of(*free);
      ++(outcome == Outcome::right ? right : doubtful);
    }
  }
  RecordProperty("right", right);
  RecordProperty("wrong, and in doubt", doubtful);
  RecordProperty("refused", refused);
  EXPECT_GE(static_cast<uint64_t>(right), rounds / 2);
}

}  // namespace
}  // namespace refrain::extrapolate
