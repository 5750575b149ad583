// Two ways to align. Short lists get the alignment with the most events matched, by dynamic programming over
// all pairs of places:
//
//     a:  open  loop{seek write}  barrier  close          rank 1 has three iterations
//     b:  open  seek write        barrier  meta  close    rank 0 has one, unrolled, and an extra call
//
//     match open; loop_a: the loop and "seek write"; match barrier; only_b meta; match close
//
// Long ones are merged in one pass, as in Algorithm 1 of Behzad et al., "Automatic generation of I/O
// kernels": heads that match are merged; otherwise the head whose next match on the other side is farthest
// away (none within the window: farthest of all) goes first, so that a near match isn't missed. Places of
// equal keys are looked up, not searched for, so the pass is linear.
//
// Before either, what both lists begin and end with is matched as it is.
#include "merge/align_ranks.hpp"

#include <algorithm>
#include <unordered_map>

namespace refrain::merge {
namespace {

constexpr uint64_t most_cells = uint64_t{1} << 20;
constexpr size_t deepest = trace::Limits::depth - 4;  ///< below this no loops are added

using List = std::vector<Shape>;

bool may_nest(const Shape& x, size_t level) { return !x.pinned && level + x.height + 2 < deepest; }

class Aligner {
 public:
  Aligner(const List& a, const List& b, size_t level, const Options& options)
      : a_(a), b_(b), level_(level), options_(options) {}

  std::vector<Step> run() {
    size_t n = std::min(a_.size(), b_.size()), head = 0, tail = 0;
    while (head < n && a_[head].hash == b_[head].hash) ++head;
    while (tail < n - head && a_[a_.size() - 1 - tail].hash == b_[b_.size() - 1 - tail].hash) ++tail;
    steps_.reserve(a_.size() + b_.size());
    for (size_t k = 0; k < head; ++k) steps_.push_back({Pairing::match, k, k});
    begin_a_ = begin_b_ = head;
    end_a_ = a_.size() - tail;
    end_b_ = b_.size() - tail;
    uint64_t cells = uint64_t{end_a_ - head} * (end_b_ - head);
    if (options_.align == Options::Align::greedy || cells > most_cells)
      greedy();
    else if (cells > 0)
      best();
    else
      rest(begin_a_, begin_b_);
    for (size_t k = 0; k < tail; ++k) steps_.push_back({Pairing::match, end_a_ + k, end_b_ + k});
    return std::move(steps_);
  }

 private:
  bool may_nest(const Shape& x) const { return merge::may_nest(x, level_); }
  bool matches(const Shape& x, const Shape& y) const { return can_be_one(x, y, level_); }
  bool alike(const Shape& x, const Shape& y) const { return similar(x, y) && may_nest(x) && may_nest(y); }

  /// Whether the nodes from `at` on are one iteration of the loop.
  bool unrolled(const Shape& loop, const List& list, size_t at, size_t end) const {
    if (!loop.loop || loop.body.size() < 2 || at + loop.body.size() > end || !may_nest(loop)) return false;
    for (size_t k = 0; k < loop.body.size(); ++k)
      if (loop.body[k] != list[at + k].key || !may_nest(list[at + k])) return false;
    return true;
  }

  void rest(size_t i, size_t j) {
    for (; i < end_a_; ++i) steps_.push_back({Pairing::only_a, i, j});
    for (; j < end_b_; ++j) steps_.push_back({Pairing::only_b, end_a_, j});
  }

  void best() {
    size_t rows = end_a_ - begin_a_ + 1;
    width_ = end_b_ - begin_b_ + 1;
    score_.assign(rows * width_, -1);
    choice_.assign(rows * width_, Pairing::match);
    score_[0] = 0;
    for (size_t i = begin_a_; i <= end_a_; ++i)
      for (size_t j = begin_b_; j <= end_b_; ++j)
        if (score_[cell(i, j)] >= 0) relax(i, j);
    trace_back();
  }

  size_t cell(size_t i, size_t j) const { return (i - begin_a_) * width_ + (j - begin_b_); }

  void offer(size_t i, size_t j, int64_t score, Pairing pairing) {
    if (score <= score_[cell(i, j)]) return;
    score_[cell(i, j)] = static_cast<int32_t>(score);
    choice_[cell(i, j)] = pairing;
  }

  void relax(size_t i, size_t j) {
    int64_t score = score_[cell(i, j)];
    if (i < end_a_ && j < end_b_) {
      const Shape &x = a_[i], &y = b_[j];
      if (matches(x, y))
        offer(i + 1, j + 1, score + 2 * int64_t{x.leaves}, Pairing::match);
      else if (alike(x, y))
        offer(i + 1, j + 1, score + int64_t{std::min(x.leaves, y.leaves)}, Pairing::match);
      if (unrolled(x, b_, j, end_b_))
        offer(i + 1, j + x.body.size(), score + 2 * int64_t{x.leaves}, Pairing::loop_a);
      if (unrolled(y, a_, i, end_a_))
        offer(i + y.body.size(), j + 1, score + 2 * int64_t{y.leaves}, Pairing::loop_b);
    }
    if (i < end_a_) offer(i + 1, j, score, Pairing::only_a);
    if (j < end_b_) offer(i, j + 1, score, Pairing::only_b);
  }

  void trace_back() {
    size_t from = steps_.size();
    for (size_t i = end_a_, j = end_b_; i > begin_a_ || j > begin_b_;) {
      Pairing p = choice_[cell(i, j)];
      size_t count = 1;
      if (p != Pairing::only_b && p != Pairing::loop_b) --i;
      if (p != Pairing::only_a && p != Pairing::loop_a) --j;
      if (p == Pairing::loop_a) j -= count = a_[i].body.size();
      if (p == Pairing::loop_b) i -= count = b_[j].body.size();
      steps_.push_back({p, i, j, count});
    }
    std::reverse(steps_.begin() + static_cast<std::ptrdiff_t>(from), steps_.end());
  }

  /// Where the keys of a list stand, for a pass that only moves forward.
  class Places {
   public:
    Places(const List& list, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) places_[list[i].key].push_back(i);
    }
    /// Distance from `at` to the next one with this key, or `none`.
    size_t distance(uint64_t key, size_t at, size_t none) {
      auto found = places_.find(key);
      if (found == places_.end()) return none;
      size_t& next = next_[key];
      while (next < found->second.size() && found->second[next] < at) ++next;
      if (next == found->second.size()) return none;
      return std::min(found->second[next] - at, none);
    }

   private:
    std::unordered_map<uint64_t, std::vector<size_t>> places_;
    std::unordered_map<uint64_t, size_t> next_;
  };

  void greedy() {
    Places in_a(a_, begin_a_, end_a_), in_b(b_, begin_b_, end_b_);
    size_t i = begin_a_, j = begin_b_;
    while (i < end_a_ && j < end_b_) {
      const Shape &x = a_[i], &y = b_[j];
      if (matches(x, y)) {
        steps_.push_back({Pairing::match, i++, j++});
      } else if (unrolled(x, b_, j, end_b_)) {
        steps_.push_back({Pairing::loop_a, i++, j, x.body.size()});
        j += x.body.size();
      } else if (unrolled(y, a_, i, end_a_)) {
        steps_.push_back({Pairing::loop_b, i, j++, y.body.size()});
        i += y.body.size();
      } else {
        size_t far_a = in_b.distance(x.key, j, options_.window);
        size_t far_b = in_a.distance(y.key, i, options_.window);
        if (far_a == options_.window && far_b == options_.window && alike(x, y))
          steps_.push_back({Pairing::match, i++, j++});
        else if (far_a >= far_b)
          steps_.push_back({Pairing::only_a, i++, j});
        else
          steps_.push_back({Pairing::only_b, i, j++});
      }
    }
    rest(i, j);
  }

  const List& a_;
  const List& b_;
  size_t level_;
  const Options& options_;
  size_t begin_a_ = 0, begin_b_ = 0, end_a_ = 0, end_b_ = 0, width_ = 0;
  std::vector<int32_t> score_;
  std::vector<Pairing> choice_;
  std::vector<Step> steps_;
};

}  // namespace

bool can_be_one(const Shape& x, const Shape& y, size_t level) {
  return x.key == y.key && (x.hash == y.hash || (may_nest(x, level) && may_nest(y, level)));
}

std::vector<Step> align(const std::vector<Shape>& a, const std::vector<Shape>& b, size_t level,
                        const Options& options) {
  return Aligner(a, b, level, options).run();
}

}  // namespace refrain::merge
