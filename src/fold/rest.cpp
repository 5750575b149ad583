// Resting. Most events of a program without any rule start a search for loops that finds none, or loops of
// two or three iterations that only cost memory. So when the last few hundred events that no loop predicted
// came in orders that were not seen before, the folder stops searching: what it has is put by as bytes, and
// so is each event that comes, until events come again in an order that was seen before. Then it folds what
// it put by, if the work done so far leaves room for that, and goes on as if it had never rested.
//
// At the end everything that is still put by is folded from the start, so that the tree is the one that it
// would have been. That is done by the reader of the part, or when ranks merge, not between the application's
// calls.
//
// Example: a loop of 5,000 different calls. After 256 calls the folder rests; sixteen calls in a row that it
// has seen before come when the loop turns for the second time. It then folds the first 5,000, and has the
// loop when it has turned twice, as it would have had. Calls in random order don't wake it.
#include <algorithm>
#include <utility>

#include "fold/entry_code.hpp"
#include "fold/fold_engine.hpp"

namespace refrain::fold {
namespace {

constexpr uint32_t events_to_rest = 256, events_to_wake = 64;
constexpr uint64_t work_to_fold = 64;  ///< an entry that was put by

uint64_t events_in(const LiveNode& node) {
  if (!node.loop) return node.executions;
  uint64_t sum = 0;
  for (const Owned& child : node.body) sum += events_in(*child);
  return sum;
}

}  // namespace

/// Whether this event, which no loop predicts, is put by.
bool Engine::rests(uint32_t signature) {
  if (recurrence_.note(signature)) ++recurring_;
  if (++looked_at_ < (resting_ ? events_to_wake : events_to_rest)) return resting_;
  bool grown = resting_ || residue_.size() >= residue_then_ + looked_at_ / 2;
  bool rare = resting_ ? recurring_ < looked_at_ / 2 : recurring_ < looked_at_ / 16;
  bool rest = grown && rare;
  if (rest && !resting_) put_by();
  bool wakes = resting_ && !rest;
  resting_ = rest;
  if (wakes && affords(work_to_fold * kept_entries_))
    take_up(std::exchange(kept_, {}), std::exchange(kept_entries_, 0));
  looked_at_ = recurring_ = 0;
  residue_then_ = residue_.size();
  return resting_;
}

void Engine::keep(uint32_t signature, const int64_t* parameters, const Times& times) {
  save_event(kept_, signature, parameters, residue_.shape(signature).parameters, times);
  ++kept_entries_;
}

/// Closes all loops, and moves the residue to what is kept.
void Engine::put_by() {
  unwind_all();
  for (size_t i = 0; i < residue_.size(); ++i) save_entry(kept_, residue_, residue_[i]);
  kept_entries_ += residue_.size();
  Residue fresh;
  for (uint32_t s = 0; s < shapes().size(); ++s) fresh.declare(s, shapes()[s]);
  residue_ = std::move(fresh);
  rotated_ = {};
  refine_at_ = first_refinement;
}

/// Folds all that came so far, which another engine, or this one, has kept. It has as much credit for work as
/// it would have had.
void Engine::take_up(const ByteWriter& kept, uint64_t entries) {
  bool rests_usually = std::exchange(options_.rests, false);
  uint64_t events = std::exchange(events_, 0);
  ByteReader in(kept.bytes());
  EntryReader reader(in, residue_);
  for (uint64_t i = 0; i < entries && reader.next(); ++i) {
    if (reader.node) {
      events_ += events_in(*reader.node);
      feed(std::move(reader.node));
    } else {
      event(reader.signature, reader.values.data(), reader.times);
    }
  }
  events_ = std::max(events, events_);
  options_.rests = rests_usually;
}

Sequence Engine::fold_all_again() {
  Engine whole(options_);
  whole.options_.rests = false;
  for (uint32_t s = 0; s < shapes().size(); ++s) whole.declare(s, shapes()[s]);
  whole.take_up(std::exchange(kept_, {}), std::exchange(kept_entries_, 0));
  for (size_t i = 0; i < residue_.size(); ++i) {
    const Residue::Entry& entry = residue_[i];
    if (entry.node) {
      whole.events_ += events_in(*entry.node);
      whole.feed(residue_.give(i));
    } else {
      whole.event(entry.signature, residue_.raw_parameters(entry), {entry.gap_ns, entry.duration_ns});
    }
  }
  return whole.finish();
}

}  // namespace refrain::fold
