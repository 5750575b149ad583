// See unify.hpp. Recursion goes down the tree and is bounded by its height; a merged tree is at most one
// level higher than the higher of its parts per level of single-bodied loops that only one side has.
#include "fold/unify.hpp"

#include <algorithm>

namespace refrain::fold {
namespace {

bool single_loop_inside(const LiveNode& node) { return node.body.size() == 1 && node.body[0]->loop; }

Sequence slice(Sequence& nodes, uint32_t from, uint32_t length) {
  Sequence part;
  for (uint32_t k = 0; k < length; ++k) part.push_back(std::move(nodes[from + k]));
  return part;
}

Owned merge(Owned a, uint64_t a_times, Owned b, uint64_t b_times, Work& work) {
  if (same_structure(*a, *b)) {
    append(*a, *b, work.steps);
    return a;
  }
  if (!a->loop) a = wrap(std::move(a), a_times);
  if (!b->loop) b = wrap(std::move(b), b_times);
  if (same_structure(*a, *b)) {
    append(*a, *b, work.steps);
    return a;
  }
  if (a->key == b->key && single_loop_inside(*a) != single_loop_inside(*b)) {
    if (single_loop_inside(*a))
      b = wrap(std::move(b), b_times);
    else
      a = wrap(std::move(a), a_times);
  }
  uint64_t a_trips = static_cast<uint64_t>(a->counts.sum()), b_trips = static_cast<uint64_t>(b->counts.sum());
  Alignment inner = align(view(a->body), view(b->body), false, work);
  a->counts.append(b->counts, work.steps);
  a->executions += b->executions;
  a->body = unify(std::move(a->body), a_trips, std::move(b->body), b_trips, inner.steps, work);
  a->merged = true;
  rehash(*a);
  return a;
}

}  // namespace

Sequence unify(Sequence left, uint64_t left_times, Sequence right, uint64_t right_times,
               const std::vector<Step>& steps, Work& work) {
  Sequence out;
  out.reserve(steps.size());
  for (const Step& s : steps) {
    switch (s.kind) {
      case Step::match:
        out.push_back(merge(std::move(left[s.i]), left_times, std::move(right[s.j]), right_times, work));
        break;
      case Step::unrolled: {
        Owned rolled = wrap(slice(right, s.j, s.length), right_times);
        out.push_back(merge(std::move(left[s.i]), left_times, std::move(rolled), right_times, work));
        break;
      }
      case Step::rolled: {
        Owned rolled = wrap(slice(left, s.i, s.length), left_times);
        out.push_back(merge(std::move(rolled), left_times, std::move(right[s.j]), right_times, work));
        break;
      }
      case Step::only_left: {
        Owned node = std::move(left[s.i]);
        if (!node->loop) node = wrap(std::move(node), left_times);
        node->counts.push_run(0, 0, right_times);
        node->executions += right_times;
        out.push_back(std::move(node));
        break;
      }
      case Step::only_right: {
        Owned node = std::move(right[s.j]);
        if (!node->loop) node = wrap(std::move(node), right_times);
        Stream counts;
        counts.push_run(0, 0, left_times);
        counts.append(node->counts, work.steps);
        node->counts = std::move(counts);
        node->executions += left_times;
        out.push_back(std::move(node));
        break;
      }
      case Step::unreached:
        break;
    }
  }
  return out;
}

bool low_enough(const View& left, const View& right) {
  uint32_t height = 0;
  for (const View* side : {&left, &right})
    for (const LiveNode* node : *side) height = std::max(height, node->height);
  return 2 * height + 4 <= max_height;
}

}  // namespace refrain::fold
