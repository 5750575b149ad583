// Lanes; see lane.hpp. Everything here runs in the application, under the guard of recorder.cpp: errno is
// saved, hooks pass through, memory comes from the lane's arena, exceptions (no memory) are caught above.
#include "record/lane.hpp"

#include <cstring>
#include <new>

#include "base/bit_cast.hpp"
#include "base/clock.hpp"
#include "record/recorder.hpp"
#include "trace/column.hpp"

namespace refrain::record {

int Lane::open(const char* path, std::span<const uint8_t> process_info) {
  used_ = folded_ = 0;
  if (int error = part_.create(path, process_info)) return error;
  header().start_ticks = state_.start_ticks = process_start_ticks;
  header().start_ns = state_.start_ns = process_start_ns;
  note_rate();
  return 0;
}

void Lane::note_rate() {
  if (!raw::forbidden.load(std::memory_order_relaxed)) tick_rate().refine();  // may ask the kernel
  state_.ns_per_tick = tick_rate().rate();
  header().rate.store(bit_cast<uint64_t>(state_.ns_per_tick), std::memory_order_relaxed);
}

void Lane::make_room() {
  if (stopped_) throw std::bad_alloc();
  try {
    fold_pending();
    save(Close::when_large);
  } catch (...) {
    stop();
    throw;
  }
}

/// An event may be folded half: the state is not used any more. The part is whole without it.
void Lane::stop() {
  stopped_ = true;
  used_ = part_.capacity();
}

void Lane::settle() {
  if (stopped_) return;
  try {
    fold_pending();
    save(Close::never, settled_journal_bytes);
    part_.settle(settled_state_bytes);
    if (!arena_.reserve(2 * memory_last)) arena_.reserve(memory_limit);
  } catch (...) {
    stop();
  }
  try {
    throw std::bad_alloc();  // the first exception of a process makes system calls, the next ones don't
  } catch (const std::bad_alloc&) {
  }
}

uint8_t* Lane::room(size_t bytes) {
  return part_.capacity() - used_ < bytes ? nullptr : part_.journal() + used_;
}

void Lane::count_unsaved() { header().unsaved.fetch_add(1, std::memory_order_relaxed); }

/// Folds when it is time, and finds out how long the recorder took since a call ended. What took unusually
/// long, as the first event of a signature or an interruption, is not taken for usual.
void Lane::after_event(OwnTime& own, bool outer, uint64_t end_ticks) {
  bool folds = used_ - folded_ >= fold_every;
  if (folds) {
    try {
      fold_pending();
    } catch (const std::bad_alloc&) {  // the event is in the part, though
    }
  }
  if (!outer) return;
  uint64_t now = ticks(), measured = now > end_ticks ? now - end_ticks : 0;  // the end may be an estimate
  own_ticks_ = static_cast<uint32_t>(std::min<uint64_t>(measured, UINT32_MAX));
  if (folds) return;
  bool first = own.ticks == 0;
  uint64_t bound = first ? UINT32_MAX : own.ticks + own.ticks / 4;
  own = {static_cast<uint32_t>(std::min(measured, bound)), first ? 0 : measured_every - 1};
}

/// Part of the event that follows: counted together with it.
size_t Lane::put_communication(uint8_t* at) {
  CommunicationRecord record{RecordKind::communication, {}, {}};
  std::copy(communication_ticks_.begin(), communication_ticks_.end(), record.ticks);
  std::memcpy(at, &record, sizeof record);
  communication_ticks_ = {};
  communicated_ = false;
  used_ += sizeof record;
  return sizeof record;
}

void Lane::put_definition(RecordKind kind, std::span<const uint8_t> encoded) {
  ++definitions_;
  size_t bytes = sizeof(DefinitionRecord) + padded(encoded.size());
  if (bytes > largest_event / 4) {  // too long for the journal: straight into the state
    fold_pending();
    state_.define(kind, encoded);
    save(Close::never);
    return;
  }
  uint8_t* at = room(bytes);
  if (at == nullptr) throw std::bad_alloc();
  DefinitionRecord record{kind, 0, static_cast<uint32_t>(encoded.size())};
  std::memcpy(at, &record, sizeof record);
  std::memcpy(at + sizeof record, encoded.data(), encoded.size());
  used_ += bytes;
  if (!disk_behind_) part_.commit(used_);
}

void Lane::mark(MarkKind what, uint32_t number, uint64_t at_ticks) {
  uint8_t* at = room(sizeof(MarkRecord));
  if (at == nullptr) throw std::bad_alloc();
  new (at) MarkRecord{RecordKind::mark, what, number, at_ticks};
  used_ += sizeof(MarkRecord);
  if (!disk_behind_) part_.commit(used_);
}

void Lane::define(const trace::Signature& signature, uint32_t words) {
  ByteWriter out;
  signature.write(out);
  put_definition(RecordKind::define_signature, out.bytes());
  fold_pending();  // so that the number is the state's
  known_.insert(draft.words, words, state_.signatures - 1);
}

void Lane::define(const trace::Template& fresh) {
  ByteWriter out;
  fresh.write(out);
  put_definition(RecordKind::define_template, out.bytes());
}

uint32_t Lane::list(const int64_t* values, size_t count) {
  auto column = trace::Column::of(std::vector<int64_t>(values, values + count));
  ByteWriter out;
  column.write(out);
  uint64_t hash = hash_combine(count, out.size());
  for (uint8_t b : out.bytes()) hash = hash_combine(hash, b);
  for (uint32_t i = 0; i < lists_.size(); ++i)
    if (lists_[i].first == hash) return i;
  put_definition(RecordKind::define_list, out.bytes());
  lists_.emplace_back(hash, static_cast<uint32_t>(lists_.size()));
  return static_cast<uint32_t>(lists_.size() - 1);
}

void Lane::fold_pending() {
  try {
    folded_ = fold_journal(state_, part_.journal(), folded_, used_);
  } catch (...) {
    stop();
    throw;
  }
}

int Lane::save(Close wish, size_t journal_bytes) {
  note_rate();
  header().events.store(state_.events, std::memory_order_relaxed);
  bool large = state_.memory() + known_.memory() + templates.memory() > memory_limit;
  bool possible = !raw::forbidden.load(std::memory_order_relaxed);
  bool close = wish == Close::always || (wish == Close::when_large && large && possible);
  ByteWriter out;
  state_.save(out);
  // A journal larger than the state keeps the cost of saving within that of recording.
  size_t wanted = std::max(part_.capacity(), journal_bytes);
  while (wanted < 2 * out.size() && wanted < largest_journal_bytes) wanted *= 2;
  int error = part_.save(out.bytes(), close, wanted);
  used_ = folded_ = 0;
  disk_behind_ = error != 0;
  if (error == 0) {
    header().unsaved.store(0, std::memory_order_relaxed);
    saved_events_ = state_.events;
    if (close) restart();
  } else {
    // The disk is full or out of reach: go on in memory, and try again when the journal is full again.
    header().unsaved.store(state_.events - saved_events_, std::memory_order_relaxed);
    part_.commit(0);
    if (wish == Close::when_large && state_.memory() > memory_last) drop();
  }
  return error;
}

void Lane::drop() {
  header().lost_no_space.fetch_add(state_.events - saved_events_, std::memory_order_relaxed);
  header().unsaved.store(0, std::memory_order_relaxed);
  part_.close_live();
  disk_behind_ = false;
  restart();
}

void Lane::restart() {
  double rate = state_.ns_per_tick;
  state_ = LaneState();
  state_.ns_per_tick = rate;
  state_.start_ticks = process_start_ticks;
  state_.start_ns = process_start_ns;
  known_ = SignatureTable();
  templates = TemplateTable();
  ++templates_era_;
  lists_.clear();
  saved_events_ = 0;
}

int Lane::offer(uint64_t world) {
  if (stopped_) return ENOMEM;
  fold_pending();
  if (int error = save(Close::always)) return error;
  part_.offer(world);
  return 0;
}

void Lane::flush() {
  if (!recording()) return;
  note_rate();
  if (!disk_behind_ || stopped_) return;
  fold_pending();
  save(Close::never);
}

}  // namespace refrain::record
