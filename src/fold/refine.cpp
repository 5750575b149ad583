// See refine.hpp.
//
// Example: {a b c}×5 a c {a b c}×7 becomes {a {b}0/1 c}×13: the loop absorbs "a c" as an iteration that
// lacks b, then the loop that follows, whose body is the same but for b.
#include "fold/refine.hpp"

#include <algorithm>

namespace refrain::fold {
namespace {

constexpr int max_passes = 4;
constexpr uint64_t least_trips = 2;

/// A body gets longer with every kind of irregularity, and aligning with it dearer.
bool may_grow(const LiveNode& loop, const Work& work, uint64_t limit) {
  return loop.body.size() <= longest_aligned_body && work.steps <= limit;
}

size_t reach(const LiveNode& loop) { return 2 * loop.body.size() + 8; }

View part(const Sequence& nodes, size_t from, size_t to) {
  View v;
  for (size_t i = from; i < to; ++i) v.push_back(nodes[i].get());
  return v;
}

Sequence take(Sequence& nodes, size_t from, size_t to) {
  Sequence taken;
  for (size_t i = from; i < to; ++i) taken.push_back(std::move(nodes[i]));
  return taken;
}

/// Joins the loop `next`, entered once, to `loop` with `count` iterations so far. False if it doesn't fit.
bool join(LiveNode& loop, uint64_t& count, Owned& next, Work& work) {
  if (!next->loop) return false;
  uint64_t more = trips(*next);
  if (same_structure(loop, *next)) {
    append(loop, *next, work.steps);
    count += more;
    return true;
  }
  if (loop.body.size() < 2 || next->body.size() > longest_aligned_body || !similar(loop, *next)) return false;
  View left = view(loop.body), right = view(next->body);
  if (!low_enough(left, right)) return false;
  Alignment a = align(left, right, false, work);
  if (!worth_absorbing(left, right, a)) return false;
  loop.body = unify(std::move(loop.body), count, std::move(next->body), more, a.steps, work);
  loop.merged = true;
  rehash(loop);
  count += more;
  return true;
}

/// Number of nodes from nodes[from] on that make one irregular iteration; they are absorbed. 0 if none.
size_t absorb_iteration(LiveNode& loop, uint64_t& count, Sequence& nodes, size_t from, Work& work) {
  View left = view(loop.body), right = part(nodes, from, std::min(nodes.size(), from + reach(loop)));
  if (!low_enough(left, right)) return 0;
  Alignment a = align(left, right, true, work);
  right.resize(a.used);
  if (!worth_absorbing(left, right, a)) return 0;
  loop.body = unify(std::move(loop.body), count, take(nodes, from, from + a.used), 1, a.steps, work);
  loop.merged = true;
  rehash(loop);
  ++count;
  return a.used;
}

Alignment mirrored(Alignment a) {
  for (Step& s : a.steps) {
    std::swap(s.i, s.j);
    switch (s.kind) {
      case Step::only_left:
        s.kind = Step::only_right;
        break;
      case Step::only_right:
        s.kind = Step::only_left;
        break;
      case Step::rolled:
        s.kind = Step::unrolled;
        break;
      case Step::unrolled:
        s.kind = Step::rolled;
        break;
      default:
        break;
    }
  }
  return a;
}

}  // namespace

bool grow_right(Sequence& nodes, size_t i, Work& work, uint64_t limit) {
  LiveNode& loop = *nodes[i];
  uint64_t count = trips(loop);
  size_t next = i + 1;
  while (next < nodes.size() && may_grow(loop, work, limit)) {
    if (join(loop, count, nodes[next], work)) {
      ++next;
      continue;
    }
    size_t used = absorb_iteration(loop, count, nodes, next, work);
    if (used == 0) break;
    next += used;
  }
  if (next == i + 1) return false;
  set_trips(loop, count);
  nodes.erase(nodes.begin() + i + 1, nodes.begin() + next);
  return true;
}

bool grow_left(Sequence& nodes, size_t& i, Work& work, uint64_t limit) {
  bool any = false;
  while (i > 0 && may_grow(*nodes[i], work, limit)) {
    LiveNode& loop = *nodes[i];
    View body = view(loop.body), before = part(nodes, i - std::min(i, reach(loop)), i);
    if (!low_enough(body, before)) break;
    View reversed_body(body.rbegin(), body.rend()), reversed(before.rbegin(), before.rend());
    Alignment probe = align(reversed_body, reversed, true, work);  // finds where the iteration starts
    size_t n = probe.score > 0 ? probe.used : 0;
    if (n == 0) break;
    View iteration(before.end() - n, before.end());
    Alignment a = align(iteration, body, false, work);
    Alignment seen_from_loop = mirrored(a);
    seen_from_loop.used = static_cast<uint32_t>(n);
    if (!worth_absorbing(body, iteration, seen_from_loop)) break;
    uint64_t count = trips(loop);
    loop.body = unify(take(nodes, i - n, i), 1, std::move(loop.body), count, a.steps, work);
    loop.merged = true;
    rehash(loop);
    set_trips(loop, count + 1);
    nodes.erase(nodes.begin() + i - n, nodes.begin() + i);
    i -= n;
    any = true;
  }
  return any;
}

void grow_all(Sequence& nodes, Work& work, uint64_t limit) {
  auto grows = [](const LiveNode& x) {
    return x.loop && x.body.size() <= longest_aligned_body && trips(x) >= least_trips;
  };
  for (int pass = 0; pass < max_passes; ++pass) {
    std::vector<uint32_t> sizes;
    for (const Owned& x : nodes)
      if (grows(*x)) sizes.push_back(x->leaves);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    bool any = false;
    for (uint32_t size : sizes) {
      work.steps += nodes.size();
      for (size_t i = 0; i < nodes.size(); ++i) {
        if (work.steps > limit) return;
        if (!grows(*nodes[i]) || nodes[i]->leaves != size) continue;
        any |= grow_right(nodes, i, work, limit);
        any |= grow_left(nodes, i, work, limit);
      }
    }
    if (!any) return;
  }
}

}  // namespace refrain::fold
