// See normalize.hpp. Both changes are tried on candidates that the values suggest and kept if at most half
// as many parameters of the loop's own events remain without a closed form; from a short loop an iteration
// is taken only if none remain.
//
// Example: one loop of 32 iterations with offsets 0 1 … 7 100 101 … 107 200 … has runs of 8, so 4×8 is tried
// and makes the offset affine: 100·i + j.
#include "fold/normalize.hpp"

#include <algorithm>

namespace refrain::fold {
namespace {

using trace::Column;

Column repeated(int64_t value, uint64_t times) { return Column({{value, 0, times, 0}}, {}); }

/// Appends the lengths after which the column seems to start again.
void add_candidates(const Column& column, std::vector<uint64_t>& out) {
  Column::Cursor c(column);
  uint64_t first = c.next_run().count;
  out.push_back(first);
  for (uint32_t b = 1; b <= column.bodies().size(); ++b) out.push_back(column.length({0, 0, 1, b}));
  if (first <= 2 && !c.done()) out.push_back(first + c.next_run().count);
}

/// Parameters of the events of this body that have no closed form over the nest.
size_t irregular(const Sequence& body, const Nest& nest, Effort& effort, std::vector<uint64_t>* candidates) {
  size_t n = 0;
  for (const Owned& node : body) {
    for (const Stream& s : node->parameters) {
      int64_t value;
      if (s.size() == 0 || s.constant(value)) continue;
      Column column = s.column();
      bool single_run = column.items().size() == 1 && column.items()[0].body == 0;
      if (single_run || fit_affine(nest, column, effort) || fit_power(nest, column, effort)) continue;
      ++n;
      if (candidates) add_candidates(column, *candidates);
    }
  }
  return n;
}

std::vector<uint64_t> factors_of(uint64_t n, std::vector<uint64_t> candidates) {
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  std::erase_if(candidates, [&](uint64_t p) { return p < 2 || p >= n || n % p != 0; });
  return candidates;
}

bool clearly_better(size_t after, size_t before) { return after < before && after * 2 <= before; }

/// In a short loop, all iterations but one may be alike by chance. On another rank they aren't, and the two
/// would not merge; so what is left must be regular in everything.
bool worth_peeling(size_t after, size_t before, uint64_t count) {
  constexpr uint64_t not_by_chance = 8;
  return after == 0 || (count >= not_by_chance && clearly_better(after, before));
}

/// How irregular the body would be as `outer` × `inner` iterations per entry.
size_t irregular_if_split(const Sequence& body, Nest& nest, uint64_t entries, uint64_t outer, uint64_t inner,
                          Effort& effort) {
  nest.push(repeated(static_cast<int64_t>(outer), entries));
  nest.push(repeated(static_cast<int64_t>(inner), entries * outer));
  size_t n = irregular(body, nest, effort, nullptr);
  nest.pop();
  nest.pop();
  return n;
}

class Normalizer {
 public:
  Normalizer(Nest& nest, Effort& effort) : nest_(nest), effort_(effort) {}

  void run(Sequence& nodes) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      LiveNode& loop = *nodes[i];
      if (!loop.loop) continue;
      int64_t count = 0;
      if (loop.counts.constant(count) && count >= 4 && loop.height < max_height) {
        std::vector<uint64_t> candidates;
        nest_.push(loop.counts.column());
        size_t bad = irregular(loop.body, nest_, effort_, &candidates);
        nest_.pop();
        if (bad > 0 && !split(loop, static_cast<uint64_t>(count), bad, std::move(candidates)) &&
            loop.executions == 1 && peel(nodes, i, static_cast<uint64_t>(count), bad)) {
          --i;
          continue;
        }
      }
      nest_.push(loop.counts.column());
      run(loop.body);
      nest_.pop();
      rehash(loop);
    }
  }

 private:
  bool split(LiveNode& loop, uint64_t count, size_t bad, std::vector<uint64_t> candidates) {
    for (uint64_t p : factors_of(count, std::move(candidates))) {
      size_t left = irregular_if_split(loop.body, nest_, loop.executions, count / p, p, effort_);
      if (!clearly_better(left, bad)) continue;
      Owned inner = wrap(std::move(loop.body), 0);
      inner->executions = loop.executions * (count / p);
      inner->counts = Stream();
      inner->counts.push_run(static_cast<int64_t>(p), 0, inner->executions);
      loop.body.clear();
      loop.body.push_back(std::move(inner));
      loop.counts = Stream();
      loop.counts.push_run(static_cast<int64_t>(count / p), 0, loop.executions);
      rehash(loop);
      return true;
    }
    return false;
  }

  /// Takes the first or the last iteration out of the loop nodes[i], which is entered once.
  bool peel(Sequence& nodes, size_t i, uint64_t count, size_t bad) {
    const Sequence& body = nodes[i]->body;
    if (std::any_of(body.begin(), body.end(), [](const Owned& x) { return x->loop; })) return false;
    for (bool first : {true, false}) {
      Sequence head, tail;
      uint64_t work = 0;
      for (const Owned& x : body) {
        head.push_back(clone(*x));
        tail.push_back(extract_last(*head.back(), first ? count - 1 : 1, work));
      }
      Sequence& rest = first ? tail : head;
      if (!worth_peeling(irregular_when_peeled(rest, count - 1), bad, count)) continue;
      Owned loop = wrap(std::move(rest), 1);
      set_trips(*loop, count - 1);
      Sequence replacement;
      if (!first) replacement.push_back(std::move(loop));
      for (Owned& x : first ? head : tail) replacement.push_back(std::move(x));
      if (first) replacement.push_back(std::move(loop));
      nodes.erase(nodes.begin() + i);
      nodes.insert(nodes.begin() + i, std::make_move_iterator(replacement.begin()),
                   std::make_move_iterator(replacement.end()));
      return true;
    }
    return false;
  }

  size_t irregular_when_peeled(const Sequence& rest, uint64_t count) {
    std::vector<uint64_t> candidates;
    nest_.push(repeated(static_cast<int64_t>(count), 1));
    size_t least = irregular(rest, nest_, effort_, &candidates);
    nest_.pop();
    if (least == 0) return 0;
    for (uint64_t p : factors_of(count, std::move(candidates)))
      least = std::min(least, irregular_if_split(rest, nest_, 1, count / p, p, effort_));
    return least;
  }

  Nest& nest_;
  Effort& effort_;
};

}  // namespace

void normalize(Sequence& nodes, Nest& nest, Effort& effort) { Normalizer(nest, effort).run(nodes); }

}  // namespace refrain::fold
