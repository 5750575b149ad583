// Random programs made of what real programs do: blocks dealt in turn, leaders of nodes that write for all of
// them, trees of messages, neighbors in grids, a master that writes for everybody, triangles, headers and
// trailers, a file per group, aggregators, elements of eight bytes. Each is right, refused or in doubt.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "extrapolate/judge.hpp"
#include "trace/factors.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;

/// What a rank does in one place of a program.
using Idiom = std::function<void(int64_t r, int64_t p, std::vector<Node>& nodes)>;

class Idioms {
 public:
  explicit Idioms(uint64_t seed) : random_(seed) {}

  Specimen program() {
    std::vector<Idiom> parts;
    for (int64_t n = 1 + below(3); n > 0; --n) parts.push_back(any());
    Program all = [parts](int64_t r, int64_t p) {
      std::vector<Node> nodes;
      for (uint32_t i = 0; i < parts.size(); ++i) {
        std::vector<Node> own;
        parts[i](r, p, own);
        for (Node& node : own) {
          Node& event = node.kind == trace::NodeKind::loop ? node.body[0] : node;
          event.signature = event.parameters.size() == 3 ? 3 + i : i;
          nodes.push_back(std::move(node));
        }
      }
      return nodes;
    };
    return {all, text_};
  }

 private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  int64_t one_of(std::initializer_list<int64_t> list) { return list.begin()[below(std::ssize(list))]; }
  int64_t bytes() { return one_of({8, 100, 512, 1000, 4096, 65536, 1 << 20}); }
  int64_t total() { return one_of({1000, 777, 4096, 10007, 65536, 1000003, 250000}); }

  void say(const std::string& what, std::initializer_list<int64_t> numbers) {
    text_ += what;
    for (int64_t n : numbers) text_ += " " + std::to_string(n);
    text_ += "\n";
  }

  Idiom any() {
    constexpr Idiom (Idioms::*all[])() = {&Idioms::dealt,
                                          &Idioms::nodes_with_leaders,
                                          &Idioms::tree,
                                          &Idioms::neighbors,
                                          &Idioms::master,
                                          &Idioms::triangle,
                                          &Idioms::files_of_groups,
                                          &Idioms::aggregators,
                                          &Idioms::by_near_squares,
                                          &Idioms::elements};
    return (this->*all[below(std::ssize(all))])();
  }

  /// Blocks that go round the ranks.
  Idiom dealt() {
    int64_t size = bytes(), all = total() / one_of({1, 10, 100}) + 1, each = below(2), more = below(4);
    say("dealt: size, blocks, per rank?, more", {size, all, each, more});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      int64_t blocks = each ? more * p + all % 64 : all, own = (blocks - r + p - 1) / p;
      if (own > 0) out.push_back(loop(own, {transfer(line(size, 0), line(r * size, p * size))}));
    };
  }

  /// The first rank of each node writes what the others on it have, too.
  Idiom nodes_with_leaders() {
    int64_t on_node = one_of({2, 3, 4, 6, 8}), size = bytes(), leader = below(3) == 0 ? on_node - 1 : 0;
    say("leaders: ranks on a node, size, which", {on_node, size, leader});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      int64_t node = r / on_node, first = node * on_node, members = std::min(on_node, p - first);
      if (r % on_node == std::min(leader, members - 1)) out.push_back(transfer(members * size, first * size));
    };
  }

  /// As many rounds as the logarithm of P, rounded up or down; or only while partners are there.
  Idiom tree() {
    int64_t kind = below(4), size = bytes();
    say("tree: kind, size", {kind, size});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      int64_t rounds = 0;
      if (kind < 2)
        while ((int64_t{1} << (rounds + 1)) <= p) ++rounds;
      if (kind == 1 && (int64_t{1} << rounds) < p) ++rounds;
      if (kind == 2)
        for (int64_t bit = 1; bit < p && (r & bit) == 0; bit <<= 1) rounds += r + bit < p;
      if (kind == 3) rounds = r == 0 ? 0 : 1;
      if (rounds > 0) out.push_back(loop(rounds, {transfer(line(size, 0), line(0, size))}));
    };
  }

  /// Numbers of neighbors, or -1 where there is none.
  Idiom neighbors() {
    int64_t dimensions = 1 + below(3), periodic = below(2), along = below(dimensions);
    say("neighbors: dimensions, periodic, along", {dimensions, periodic, along});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      int64_t inner = 1, n = p;
      if (dimensions > 1) {
        n = trace::grid_extent(p, dimensions, along);
        for (int64_t j = along + 1; j < dimensions; ++j) inner *= trace::grid_extent(p, dimensions, j);
      }
      int64_t k = r / inner % n;
      for (int64_t step : {-1, 1}) {
        bool there = periodic || (k + step >= 0 && k + step < n);
        out.push_back(call(0, there ? r + ((k + step + n) % n - k) * inner : -1));
      }
    };
  }

  /// Rank 0 goes through all ranks.
  Idiom master() {
    int64_t size = bytes(), with_itself = below(2), header = below(2) * bytes();
    say("master: size, with itself, header", {size, with_itself, header});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      if (r == 0)
        out.push_back(loop(with_itself ? p : p - 1, {transfer(line(size, 0), line(header, size))}));
      else
        out.push_back(call(0, 0));
    };
  }

  Idiom triangle() {
    int64_t size = bytes(), falling = below(2);
    say("triangle: size, falling", {size, falling});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      int64_t rows = falling ? p - r : r + 1;
      out.push_back(transfer(rows * size, (falling ? r * p - r * (r - 1) / 2 : r * (r + 1) / 2) * size));
    };
  }

  Idiom files_of_groups() {
    int64_t group = one_of({2, 4, 5, 8, 16}), size = bytes(), header = below(2) * bytes(), kind = below(3);
    say("files of groups: ranks, size, header, kind", {group, size, header, kind});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      int64_t in_group = kind == 0 ? group : kind == 1 ? trace::root_of(p, 2) : (p + group - 1) / group;
      out.push_back(call(0, r / in_group));
      out.push_back(transfer(size, header + r % in_group * size));
    };
  }

  /// Some ranks share what all have.
  Idiom aggregators() {
    int64_t each = one_of({2, 3, 4}), most = one_of({1, 2, 3, 4}), size = bytes(), kind = below(2);
    say("aggregators: each, most, size, kind", {each, most, size, kind});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      int64_t n = kind == 0 ? std::max<int64_t>(1, p / each) : std::min(most, p), apart = p / n;
      if (r % apart != 0 || r / apart >= n) return;
      int64_t a = r / apart, all = p * size, begin = a * all / n, end = (a + 1) * all / n;
      out.push_back(transfer(end - begin, begin));
    };
  }

  /// Rows and columns of a grid that is as square as the divisors of P allow.
  Idiom by_near_squares() {
    int64_t size = bytes(), rows = total(), strong = below(2);
    say("near squares: size, rows, strong", {size, rows, strong});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      int64_t x = trace::grid_extent(p, 2, 1), k = r % x, own = rows / x + (k < rows % x ? 1 : 0);
      if (strong)
        out.push_back(transfer(own * size, (r / x * rows + k * (rows / x) + std::min(k, rows % x)) * size));
      else
        out.push_back(transfer(size, (r / x * x + k) * size));
    };
  }

  /// Elements of eight bytes behind a header, with a remainder for the first, the last, or in steps.
  Idiom elements() {
    int64_t all = total(), header = below(2) * bytes(), kind = below(4), element = one_of({1, 4, 8, 24});
    say("elements: all, header, kind, element", {all, header, kind, element});
    return [=](int64_t r, int64_t p, std::vector<Node>& out) {
      int64_t begin = 0, end = 0;
      auto start = [&](int64_t k) {
        if (kind == 0) return k * (all / p) + std::min(k, all % p);
        if (kind == 1) return k == p ? all : k * (all / p);
        if (kind == 2) return k * all / p;
        return std::min(all, k * ((all + p - 1) / p));
      };
      begin = start(r);
      end = start(r + 1);
      out.push_back(transfer((end - begin) * element, header + begin * element));
      if (r == p - 1) out.push_back(call(0, header + all * element));
    };
  }

  std::mt19937_64 random_;
  std::string text_;
};

TEST(RandomIdioms, are_right_refused_or_in_doubt) {
  Judge().look_at(24, {.certain = 37, .right = 81}, [](uint64_t seed) { return Idioms(seed).program(); });
}

}  // namespace
}  // namespace refrain::extrapolate
