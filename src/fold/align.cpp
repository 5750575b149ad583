// Alignment by dynamic programming over cells (i, j): the best score of aligning the first i nodes of the
// left side with the first j of the right. Matching two nodes earns four points per event below them;
// leaving a node unmatched costs a little, less if it is optional already.
//
// Example: left = open {write} close, right = open seek {write} close. Three matches and one node on the
// right only: the merged body is open {seek}0/1 {write} close. A loop also matches its body written out
// once, since an iteration that ran once was recorded without its loop.
#include "fold/align.hpp"

#include <algorithm>
#include <bit>

namespace refrain::fold {
namespace {

constexpr int unreachable = -1000000;
constexpr uint64_t loop_of_its_own = 8;  ///< iterations that make a loop more than part of an iteration

bool body_matches(const LiveNode& loop, const View& nodes, size_t from) {
  if (from + loop.body.size() > nodes.size()) return false;
  for (size_t k = 0; k < loop.body.size(); ++k)
    if (loop.body[k]->key != nodes[from + k]->key) return false;
  return true;
}

bool is_long_loop(const LiveNode& node) { return node.loop && node.body.size() > 1; }

const LiveNode& strip(const LiveNode& node) {
  const LiveNode* x = &node;
  while (x->loop && x->body.size() == 1) x = x->body[0].get();
  return *x;
}

int match_score(const LiveNode& node) { return 4 * static_cast<int>(std::min(node.leaves, 10000u)); }

/// Cost of leaving out a node of the loop: nothing for an optional event, more for what always ran.
int skip_score(const LiveNode& node) {
  if (!node.loop) return -2;
  return node.body.size() == 1 && !node.body[0]->loop ? 0 : -1;
}

class Table {
 public:
  Table(const View& left, const View& right)
      : left_(left),
        right_(right),
        stride_(right.size() + 1),
        score_((left.size() + 1) * stride_, unreachable),
        how_(score_.size(), Step::unreached) {}

  void fill() {
    score_[0] = 0;
    for (size_t i = 0; i <= left_.size(); ++i)
      for (size_t j = 0; j <= right_.size(); ++j)
        if (score_[i * stride_ + j] > unreachable) extend(i, j);
  }

  int score(size_t j) const { return score_[left_.size() * stride_ + j]; }

  std::vector<Step> trace_back(size_t j) const {
    std::vector<Step> steps;
    for (size_t i = left_.size(); i > 0 || j > 0;) {
      Step step{how_[i * stride_ + j], 0, 0, 1};
      if (step.kind == Step::rolled) step.length = static_cast<uint32_t>(right_[j - 1]->body.size());
      if (step.kind == Step::unrolled) step.length = static_cast<uint32_t>(left_[i - 1]->body.size());
      if (step.kind != Step::only_right) i -= step.kind == Step::rolled ? step.length : 1;
      if (step.kind != Step::only_left) j -= step.kind == Step::unrolled ? step.length : 1;
      step.i = static_cast<uint32_t>(i);
      step.j = static_cast<uint32_t>(j);
      steps.push_back(step);
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

 private:
  void reach(size_t i, size_t j, int score, Step::Kind how) {
    size_t cell = i * stride_ + j;
    if (score <= score_[cell]) return;
    score_[cell] = score;
    how_[cell] = how;
  }

  void extend(size_t i, size_t j) {
    int score = score_[i * stride_ + j];
    if (i < left_.size() && j < right_.size()) pair(i, j, score);
    if (i < left_.size()) reach(i + 1, j, score + skip_score(*left_[i]), Step::only_left);
    if (j < right_.size())
      reach(i, j + 1, score - 3 * static_cast<int>(std::min(right_[j]->leaves, 4u)), Step::only_right);
  }

  void pair(size_t i, size_t j, int score) {
    const LiveNode &a = *left_[i], &b = *right_[j];
    if (a.key == b.key)
      reach(i + 1, j + 1, score + match_score(a), Step::match);
    else if (a.loop && b.loop && similar(a, b))
      reach(i + 1, j + 1, score + match_score(a) / 2, Step::match);
    if (is_long_loop(a) && body_matches(a, right_, j))
      reach(i + 1, j + a.body.size(), score + match_score(a), Step::unrolled);
    if (is_long_loop(b) && body_matches(b, left_, i))
      reach(i + b.body.size(), j + 1, score + 4 * static_cast<int>(b.body.size()), Step::rolled);
  }

  const View& left_;
  const View& right_;
  size_t stride_;
  std::vector<int> score_;
  std::vector<Step::Kind> how_;
};

}  // namespace

View view(const Sequence& nodes) {
  View v;
  v.reserve(nodes.size());
  for (const Owned& node : nodes) v.push_back(node.get());
  return v;
}

bool similar(const LiveNode& a, const LiveNode& b) {
  if (a.key == b.key) return true;
  const LiveNode &x = strip(a), &y = strip(b);
  if (!x.loop || !y.loop) return false;
  int either = std::popcount(x.bloom | y.bloom), both = std::popcount(x.bloom & y.bloom);
  return both * 5 >= either * 3;
}

Alignment align(const View& left, const View& right, bool free_end, Work& work) {
  uint64_t cells = (left.size() + 1) * (right.size() + 1) + 32;
  work.cells += cells;
  work.steps += cells;
  Table table(left, right);
  table.fill();
  Alignment best;
  size_t end = right.size();
  if (free_end)
    for (size_t j = 0; j <= right.size(); ++j)
      if (table.score(j) > table.score(end)) end = j;
  best.used = static_cast<uint32_t>(end);
  best.score = table.score(end);
  best.steps = table.trace_back(end);
  return best;
}

bool worth_absorbing(const View& left, const View& right, const Alignment& alignment) {
  uint64_t before = 0, after = 0;  // in tenths of a byte
  uint64_t leaves = 0, matched_leaves = 0, required = 0, required_hit = 0;
  for (size_t j = 0; j < alignment.used; ++j) {
    before += 10 * uint64_t{right[j]->cost};
    leaves += right[j]->leaves;
  }
  for (const LiveNode* node : left) required += !node->loop;
  for (const Step& s : alignment.steps) {
    switch (s.kind) {
      case Step::only_left:
        after += left[s.i]->loop ? 7 : 40;
        continue;
      case Step::only_right:
        if (is_long_loop(*right[s.j]) && trips(*right[s.j]) >= loop_of_its_own) return false;
        after += 10 * uint64_t{right[s.j]->cost} + 40;
        continue;
      default:
        after += 5;
    }
    for (uint32_t k = 0; k < (s.kind == Step::unrolled ? s.length : 1); ++k)
      matched_leaves += right[s.j + k]->leaves;
    if (s.kind != Step::unrolled)
      for (uint32_t k = 0; k < s.length; ++k) required_hit += !left[s.i + k]->loop;
  }
  return alignment.used > 0 && matched_leaves * 2 >= leaves && required_hit * 2 >= required &&
         after * 10 < before * 8;
}

}  // namespace refrain::fold
