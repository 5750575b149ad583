// Learning mode: events and nodes that no open loop expects go to the residue, and reduce() looks whether
// the end of the residue now completes a loop.
#include "fold/fold_engine.hpp"

#include <algorithm>
#include <utility>

namespace refrain::fold {
namespace {

constexpr int recent_loops = 4;

}  // namespace

void Engine::unexpected_event(uint32_t signature, const int64_t* parameters, const Times& times) {
  ++work_.steps;
  if (options_.rests && rests(signature)) return keep(signature, parameters, times);
  if (exhausted()) {
    unwind_all();
    residue_.push_event(signature, parameters, times);
    return;
  }
  const Wanted wanted(signature);
  do {
    while (!frames_.empty()) {
      if (route(wanted)) {
        take(*frames_.back().loop->body[frames_.back().at], parameters, times);
        advance();
        return;
      }
      mismatch();
    }
  } while (options_.adapt && absorb(wanted));
  residue_.push_event(signature, parameters, times);
  reduce();
  if (options_.adapt && frames_.empty() && residue_.size() >= refine_at_) refine(false);
}

/// Whether the work done so far exceeds what the events so far have paid for. Then the folder rests:
/// it stores events as they come until it has credit for a while again, each time for longer.
bool Engine::exhausted() {
  if (rest_ == 0) {
    if (work_.steps <= allowance()) return false;
    rest_ = next_rest_;
    next_rest_ = std::min<uint64_t>(next_rest_ * 2, uint64_t{1} << 32);
  }
  if (work_.steps + rest_ > allowance()) return true;
  rest_ = 0;
  return false;
}

/// Puts back a node that was taken out of a loop.
void Engine::feed(Owned node) {
  while (!frames_.empty()) {
    if (route(Wanted(*node))) {
      LiveNode& target = *frames_.back().loop->body[frames_.back().at];
      if (same_structure(target, *node)) {
        append(target, *node, work_.steps);
        advance();
        return;
      }
    }
    mismatch();
  }
  residue_.push_node(std::move(node));
  reduce();
}

void Engine::reduce() {
  ++work_.steps;
  if (residue_.size() < 2 || continue_a_loop()) return;
  size_t n = residue_.size();
  const auto& last = residue_[n - 1];
  auto oldest = static_cast<int32_t>(n - 1 - std::min<size_t>(n - 1, options_.window));
  int32_t earlier = last.previous;
  for (uint32_t k = 0; k < options_.candidates && earlier >= oldest;
       ++k, earlier = residue_[earlier].previous)
    if (start_a_loop(earlier)) return;
  earlier = last.previous_gram;
  for (uint32_t k = 0; k < options_.candidates && earlier >= oldest;
       ++k, earlier = residue_[earlier].previous_gram)
    if (residue_[earlier].gram == last.gram && start_a_loop(earlier)) return;
}

/// Do the nodes after one of the last loops make up one more iteration of it?
bool Engine::continue_a_loop() {
  size_t n = residue_.size();
  const auto& loops = residue_.loops();
  for (size_t k = loops.size(), tried = 0; k-- > 0 && tried < recent_loops; ++tried) {
    size_t at = loops[k], length = n - 1 - at;
    ++work_.steps;
    if (length == 0) continue;
    if (length > options_.window) break;
    LiveNode& loop = *residue_[at].node;
    if (loop.body.size() != length || loop.body_hash != residue_.hash(at + 1, n)) continue;
    bool same = true;
    for (size_t i = 0; i < length && same; ++i) same = residue_.same(at + 1 + i, *loop.body[i]);
    if (!same) continue;
    Sequence iteration = residue_.take(at + 1);
    for (size_t i = 0; i < length; ++i) append(*loop.body[i], *iteration[i], work_.steps);
    ++folds_;
    open_top(loop, trips(loop) + 1);
    return true;
  }
  return false;
}

/// Do the nodes since `earlier` repeat those before it?
bool Engine::start_a_loop(int32_t earlier) {
  size_t n = residue_.size(), length = n - 1 - static_cast<size_t>(earlier);
  ++work_.steps;
  if (length > options_.window || n < 2 * length) return false;
  if (length > 1 && residue_[n - 2].hash != residue_[earlier - 1].hash) return false;
  uint64_t hash = residue_.hash(n - length, n);
  if (residue_.hash(n - 2 * length, n - length) != hash) return false;
  if (length > 1 && rotated(n, length, hash)) return false;
  work_.steps += length;
  if (!residue_.same(n - 2 * length, n - length, length)) return false;
  for (size_t i = n - length; i < n; ++i)
    if (residue_.is_loop(i) && residue_[i].node->height + 1 >= max_height) return false;
  ++folds_;
  if (length == 1 && residue_.is_loop(n - 1)) {
    join_loops();
    return true;
  }
  Sequence second = residue_.take(n - length), first = residue_.take(n - 2 * length);
  for (size_t i = 0; i < length; ++i) append(*first[i], *second[i], work_.steps);
  residue_.push_node(wrap(std::move(first), 1));
  open_top(*residue_[residue_.size() - 1].node, 2);
  return true;
}

/// Whether the last `length` nodes are a body that begins in the middle: it closes what it didn't open and
/// opens what it doesn't close, or it is a rotation of a body seen before. Then waiting is better.
bool Engine::rotated(size_t n, size_t length, uint64_t hash) {
  uint64_t cycle = residue_.cyclic_hash(n - length, n);
  auto known = rotations_.find(cycle);
  if (known != rotations_.end()) return known->second != hash;
  if (cycle == rotated_.cycle && n < rotated_.start + length && rotated_.start < n &&
      residue_[rotated_.start].prefix == rotated_.prefix)
    return true;
  work_.steps += length;
  size_t start = 0;
  Brackets brackets = residue_.brackets(n - length, n, start);
  if (brackets.closes > 0 && brackets.opens > 0) {
    start += n - length;
    rotated_ = {cycle, start, residue_[start].prefix};
    return true;
  }
  if (rotations_.size() < known_rotations) rotations_.emplace(cycle, hash);
  return false;
}

/// The last two nodes are the same loop: one loop that ran longer.
void Engine::join_loops() {
  Owned second = residue_.pop();
  LiveNode& first = *residue_[residue_.size() - 1].node;
  uint64_t total = trips(first) + trips(*second);
  append(first, *second, work_.steps);
  open_top(first, total);
}

/// Goes on inside the last node of the residue.
void Engine::open_top(LiveNode& loop, uint64_t iterations) {
  loop.counts = Stream();
  loop.executions = 0;
  frames_.assign(1, {&loop, 0, iterations});
  expect();
}

void Engine::close_top(LiveNode& loop, uint64_t iterations) {
  set_trips(loop, iterations);
  reduce();
}

Sequence Engine::finish() {
  while (!frames_.empty()) mismatch();
  if (kept_entries_ > 0) return fold_all_again();
  if (options_.adapt) refine(true);
  while (!frames_.empty()) mismatch();
  return residue_.take(0);
}

void Engine::start_over() {
  Engine fresh(options_);
  for (uint32_t s = 0; s < residue_.shapes().size(); ++s) fresh.declare(s, residue_.shape(s));
  *this = std::move(fresh);
}

/// Nodes are measured again only when as many events have come as there are nodes to visit.
size_t Engine::memory() const {
  if (events_ >= measure_at_) {
    node_bytes_ = 0;
    for (size_t i = 0; i < residue_.size(); ++i)
      if (residue_[i].node) node_bytes_ += fold::memory(*residue_[i].node);
    measure_at_ = events_ + residue_.size() + node_bytes_ / sizeof(LiveNode);
  }
  constexpr size_t unfolding = 12;  // what was put by takes so many times its bytes when it is folded
  return sizeof *this + recurrence_.memory() + unfolding * kept_.size() + residue_.memory() +
         rotations_.size() * 48 + node_bytes_;
}

}  // namespace refrain::fold
