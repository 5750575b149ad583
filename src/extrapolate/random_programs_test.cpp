// Random programs: weak and strong scaling, grids of one to three dimensions, remainders shared in several
// ways, conditions, aggregators, loops. From runs at a few numbers of ranks, at numbers far beyond, each is
// right, refused, or in doubt.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>

#include "extrapolate/judge.hpp"
#include "trace/factors.hpp"

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

TEST(RandomPrograms, are_right_refused_or_in_doubt) {
  Judge().look_at(9, {.certain = 24, .right = 55}, [](uint64_t seed) {
    RandomProgram program(seed);
    return Specimen{program, program.text()};
  });
}

}  // namespace
}  // namespace refrain::extrapolate
