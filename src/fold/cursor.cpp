// Cursor mode: inside a loop the next event is predicted. When the prediction fails, route() looks for
// another way through the loops; when there is none, mismatch() undoes the iteration that was begun and
// hands its pieces to the loop outside.
//
// Example, inside the second level of {open {seek write} close} after a write: `seek` starts the next
// iteration, `close` leaves the inner loop. After a seek, `close` has no route: the half iteration, a
// lone seek, is taken out of the inner loop and offered to the outer one, where nothing expects it
// either; so its iteration is undone as well and the residue gets: {open {seek write} close}, open,
// {seek write}, seek, close.
#include <algorithm>
#include <iterator>

#include "fold/fold_engine.hpp"

namespace refrain::fold {
namespace {

constexpr uint32_t max_nested_mismatches = 64;

}  // namespace

/// Whole rounds of the loop leave the cursor where it is.
void Engine::take(uint32_t ahead, const Series& series) {
  LiveNode& node = predicted(ahead);
  node.executions += series.count;
  const int64_t* values = series.parameters;
  for (Stream& s : node.parameters) s.push_all(values++, series.step, series.count);
  node.timing.gap.add_all(series.gaps_ns, series.count);
  node.timing.duration.add_all(series.durations_ns, series.count);
}

/// Can the wanted node be the first to run of body[from…], entering loops or skipping them? Leaves the way in
/// path_, innermost position first.
bool Engine::find_first(const LiveNode& loop, size_t from, const Wanted& wanted) {
  for (size_t q = from; q < loop.body.size(); ++q) {
    const LiveNode& x = *loop.body[q];
    ++work_.steps;
    bool found = x.hash == wanted.hash && (wanted.whole || !x.loop);
    if (!found && !x.loop) return false;
    if (!found && (x.bloom & wanted.bloom) == wanted.bloom) found = find_first(x, 0, wanted);
    if (!found) continue;
    path_.push_back(static_cast<uint32_t>(q));
    return true;
  }
  return false;
}

/// Moves the cursor before the wanted node, skipping, entering, repeating and leaving loops as
/// needed. False if that can't be done; then nothing has changed.
bool Engine::route(const Wanted& wanted) {
  size_t level = frames_.size() - 1;
  size_t at = frames_[level].at;
  bool left_inner = false;
  for (;;) {
    const LiveNode& loop = *frames_[level].loop;
    path_.clear();
    if (find_first(loop, at, wanted)) break;
    if (at > 0) {
      for (size_t q = at; q < loop.body.size(); ++q)
        if (!loop.body[q]->loop) return false;
      path_.clear();
      if (find_first(loop, 0, wanted)) {
        leave_to(level);
        if (left_inner) step(frames_[level]);
        skip(frames_[level], loop.body.size());
        follow_path();
        return true;
      }
    }
    if (level == 0) return false;
    --level;
    left_inner = true;
    at = frames_[level].at + 1;
    if (at == frames_[level].loop->body.size()) at = 0;
  }
  leave_to(level);
  if (left_inner) step(frames_[level]);
  follow_path();
  return true;
}

/// Leaves all loops inside `level`; what is left of their bodies consists of loops that run zero times.
void Engine::leave_to(size_t level) {
  while (frames_.size() - 1 > level) {
    Frame& frame = frames_.back();
    if (frame.at > 0) skip(frame, frame.loop->body.size());
    frame.loop->counts.push(static_cast<int64_t>(frame.iterations));
    ++frame.loop->executions;
    frames_.pop_back();
    if (frames_.size() - 1 > level) step(frames_.back());
  }
}

void Engine::skip(Frame& frame, size_t up_to) {
  work_.steps += up_to - frame.at;
  while (frame.at < up_to) {
    LiveNode& loop = *frame.loop->body[frame.at];
    loop.counts.push(0);
    ++loop.executions;
    ++frame.at;
  }
  if (frame.at < frame.loop->body.size()) return;
  frame.at = 0;
  ++frame.iterations;
}

void Engine::follow_path() {
  for (size_t k = path_.size(); k-- > 0;) {
    skip(frames_.back(), path_[k]);
    if (k > 0) frames_.push_back({frames_.back().loop->body[path_[k]].get(), 0, 0});
  }
  expect();
}

/// Puts the nodes of the iteration begun in `frame` in front of `pending`.
void Engine::unwind(Frame& frame, Sequence& pending) {
  Sequence begun;
  for (uint32_t q = 0; q < frame.at; ++q) flatten(extract_last(*frame.loop->body[q], 1, work_.steps), begun);
  std::move(pending.begin(), pending.end(), std::back_inserter(begun));
  pending = std::move(begun);
}

/// The cursor leaves a loop whose frame has just been removed.
void Engine::leave_loop(Frame frame) {
  frame.loop->counts.push(static_cast<int64_t>(frame.iterations));
  ++frame.loop->executions;
  step(frames_.back());
  expect();
}

/// Undoes the innermost iteration and leaves its loop. A loop that was entered but has no whole iteration
/// is undone together with the iteration around it: leaving it with zero iterations would offer the same
/// nodes to the same loops for ever.
void Engine::mismatch() {
  if (mismatch_depth_ >= max_nested_mismatches || !affords_overdraft()) return unwind_all();
  ++mismatch_depth_;
  Sequence pending;
  Frame frame = frames_.back();
  frames_.pop_back();
  unwind(frame, pending);
  while (frame.iterations == 0 && !frames_.empty()) {
    frame = frames_.back();
    frames_.pop_back();
    unwind(frame, pending);
  }
  expect();
  if (frames_.empty())
    close_top(*frame.loop, frame.iterations);
  else
    leave_loop(frame);
  for (Owned& node : pending) feed(std::move(node));
  --mismatch_depth_;
}

/// Closes all loops at once, without looking for new ones.
void Engine::unwind_all() {
  if (frames_.empty()) return;
  Sequence pending;
  while (!frames_.empty()) {
    Frame frame = frames_.back();
    frames_.pop_back();
    unwind(frame, pending);
    if (frames_.empty())
      set_trips(*frame.loop, frame.iterations);
    else if (frame.iterations > 0)
      leave_loop(frame);
  }
  expect();
  for (Owned& node : pending) residue_.push_node(std::move(node));
}

}  // namespace refrain::fold
