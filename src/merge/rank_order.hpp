// How the ranks of two things that become one stand to each other. Mostly all of one follow all of the other,
// and joining is appending; any other order works too.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/rank_set.hpp"

namespace refrain::merge {

/// The disjoint rank sets of two nodes, lists or processes that are being joined. Both must outlive it.
class Order {
 public:
  Order(const trace::RankSet& a, const trace::RankSet& b)
      : a_(&a),
        b_(&b),
        a_size_(a.size()),
        b_size_(b.size()),
        is_append_(a.empty() || b.empty() || a.last() < b.first()) {}

  const trace::RankSet& a() const { return *a_; }
  const trace::RankSet& b() const { return *b_; }
  uint64_t a_size() const { return a_size_; }
  uint64_t b_size() const { return b_size_; }
  /// Whether every rank of `b` comes after those of `a`.
  bool is_append() const { return is_append_; }
  /// For each rank of both, in order: whether it is one of `b`.
  std::vector<bool> interleaving() const;

 private:
  const trace::RankSet* a_;
  const trace::RankSet* b_;
  uint64_t a_size_, b_size_;
  bool is_append_;
};

/// Whether the sets are seen to have no rank in common. At most so many ranks are looked at one by one: where
/// there are more, the answer is no.
bool are_apart(const trace::RankSet& a, const trace::RankSet& b, uint64_t most_looked_at);

}  // namespace refrain::merge
