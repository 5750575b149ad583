// The hooks of layer uring. What a program submits and takes, it writes and reads in memory by inline
// functions; the calls of liburing that can be hooked are the moments at which that is looked at: before a
// submission, when files or buffers are registered, when a ring ends. Calls that wait for completions leave
// no events: whether a program makes them depends on what has completed meanwhile. Their time is that of the
// next `uring_taken`.
#include <errno.h>
#include <fcntl.h>
#include <linux/time_types.h>
#include <signal.h>
#include <sys/uio.h>

#include "api/table.hpp"
#include "record/emit.hpp"
#include "record/look.hpp"
#include "record/real.hpp"
#include "record/uring_rings.hpp"
#include "record/uring_submission.hpp"

namespace refrain::record {

using api::RowId;

void emit_taken(Lane& lane, const RecordedRing& ring, const RecordedRing::Taken& taken, const void* site) {
  Outcome outcome{.site = site, .outer = lane.depth == 0};
  outcome.end_ticks = ticks();
  outcome.start_ticks = outcome.end_ticks - taken.waited_ticks;
  emit(
      lane, RowId::uring_uring_taken, outcome,
      [&](auto& v) {
        v.slot(ring.handle());
        v.integer(Role::plain, taken.completions);
        v.integer(Role::plain, taken.opened);
        v.integer(Role::plain, taken.failed);
      },
      [](auto&) {});
}

namespace {

constexpr uint32_t own_bit = 1u << static_cast<uint32_t>(Layer::uring);

/// A call of liburing on behalf of a row.
class RingCall {
 public:
  RingCall(RowId row, const void* site, const char* frame) : row_(row), frame_(frame), lane_(enter(frame)) {
    if (lane_ != nullptr && (!layer_enabled(Layer::uring) || (lane_->inside_layers & own_bit) != 0))
      lane_ = nullptr;
    outcome_.site = site;
  }

  /// What the program has done in memory since the last call: completions that it took and, for a call that
  /// submits, entries that it filled in. How many those are.
  uint32_t look(const io_uring* io, bool submits) {
    if (lane_ == nullptr) return 0;
    Aside aside(*lane_);
    Busy busy(*lane_, frame_);
    ring_ = find_or_meet(*io);
    if (ring_ == nullptr) {
      count_lost(&PartHeader::lost_unknown, *lane_);
      return 0;
    }
    handle_ = ring_->handle();
    if (auto taken = ring_->take(*io); taken.any()) emit_taken(*lane_, *ring_, taken, outcome_.site);
    uint32_t seen = 0;
    if (submits) {
      Submission submission(*lane_, *ring_, outcome_.site);
      seen = ring_->entries(*io, [&](const io_uring_sqe& entry) { submission.record(entry); });
    }
    ring_->unlock();
    return seen;
  }
  /// The ring is about to end: its memory is not looked at any more.
  void forget() {
    if (ring_ == nullptr) return;
    Busy busy(*lane_, frame_);
    ring_->end();
    free_slot(handle_);
  }

  /// Makes the call; what liburing calls of itself passes through.
  template <class Real>
  auto make(Real real) {
    if (lane_ == nullptr) return real();
    Running running(*lane_, frame_);
    outcome_.outer = running.outer();
    lane_->inside_layers |= own_bit;
    outcome_.start_ticks = ticks();
    if constexpr (std::is_void_v<decltype(real())>) {
      real();
      end();
    } else {
      auto result = real();
      end();
      return result;
    }
  }

  /// Records the call, if it is about a ring that is known, and then calls `after` with that.
  template <class Operands, class After>
  void finish(int result, Operands operands, After after) {
    if (lane_ == nullptr || ring_ == nullptr) return;
    Busy busy(*lane_, frame_);
    outcome_.error = result < 0 ? -result : 0;
    outcome_.bracket = trace::Bracket::neither;
    if (row_ == RowId::uring_io_uring_queue_exit) outcome_.bracket = trace::Bracket::closes;
    emit(
        *lane_, row_, outcome_,
        [&](auto& v) {
          v.slot(handle_);
          operands(v);
        },
        [&](auto& v) {
          if (api::row(row_).result == Kind::uring_count) v.integer(Role::plain, result);
        });
    if (!ring_->lock(*lane_)) return;
    after(*ring_);
    ring_->unlock();
  }

  /// Records that a ring was made, or that making it failed.
  void finish_init(int result, unsigned entries, const io_uring* io, unsigned flags) {
    if (lane_ == nullptr) return;
    Busy busy(*lane_, frame_);
    outcome_.error = result < 0 ? -result : 0;
    if (result == 0) ring_ = add_ring(*lane_, *io);
    if (result == 0 && ring_ == nullptr) return count_lost(&PartHeader::lost_unknown, *lane_);
    emit_init(outcome_, entries, flags);
    if (ring_ != nullptr) ring_->unlock();
  }

 private:
  void end() {
    outcome_.end_ticks = ticks();
    lane_->inside_layers &= ~own_bit;
  }

  /// A ring that was not seen being made is introduced by the call that would have made it.
  RecordedRing* find_or_meet(const io_uring& io) {
    if (knows_ring(io)) return find_ring(*lane_, io);
    ring_ = add_ring(*lane_, io);
    uint64_t now = ticks();
    if (ring_ != nullptr)
      emit_init({.site = outcome_.site, .outer = lane_->depth == 0, .start_ticks = now, .end_ticks = now},
                *io.sq.kring_entries, io.flags);
    return ring_;
  }

  void emit_init(Outcome outcome, unsigned entries, unsigned flags) {
    outcome.bracket = trace::Bracket::opens;
    emit(
        *lane_, RowId::uring_io_uring_queue_init, outcome,
        [&](auto& v) {
          v.integer(Role::plain, entries);
          v.name(Kind::uring_setup, flags);
        },
        [&](auto& v) { v.slot(ring_->handle()); });
  }

  RowId row_;
  const char* frame_;
  Lane* lane_;
  RecordedRing* ring_ = nullptr;
  Handle handle_;
  Outcome outcome_;
};

constexpr auto nothing_more = [](auto&) {};

/// The number of entries that were submitted: where a thread of the system fetches them, liburing tells how
/// many it has not fetched yet.
int submitted(const io_uring* ring, int result, uint32_t seen) {
  bool fetched = (ring->flags & IORING_SETUP_SQPOLL) != 0;
  return result >= 0 && fetched ? static_cast<int>(seen) : result;
}

template <class Real>
int submit(io_uring* ring, const void* site, const char* frame, Real real) {
  RingCall call(RowId::uring_io_uring_submit, site, frame);
  uint32_t seen = call.look(ring, true);
  int result = call.make(real);
  call.finish(submitted(ring, result, seen), nothing_more, nothing_more);
  return result;
}

/// `counts`: the function tells how many entries it has submitted. With a time limit it doesn't in all
/// versions.
template <class Real>
int submit_and_wait(io_uring* ring, unsigned count, bool counts, const void* site, const char* frame,
                    Real real) {
  RingCall call(RowId::uring_io_uring_submit_and_wait, site, frame);
  uint32_t seen = call.look(ring, true);
  int result = call.make(real);
  bool late = result == -ETIME || result == -EINTR;  // its entries were submitted all the same
  int told = late || (result >= 0 && !counts) ? static_cast<int>(seen) : submitted(ring, result, seen);
  call.finish(
      told, [&](auto& v) { v.integer(Role::plain, late ? 0 : count); }, nothing_more);
  return result;
}

template <class Real>
int queue_init(unsigned entries, io_uring* ring, unsigned flags, const void* site, const char* frame,
               Real real) {
  RingCall call(RowId::uring_io_uring_queue_init, site, frame);
  int result = call.make(real);
  call.finish_init(result, entries, ring, flags);
  return result;
}

/// Calls about what is registered with a ring.
template <class Real, class Operands, class After>
int set_up(RowId row, io_uring* ring, const void* site, const char* frame, Real real, Operands operands,
           After after) {
  RingCall call(row, site, frame);
  call.look(ring, false);
  int result = call.make(real);
  call.finish(result, operands, [&](RecordedRing& known) {
    if (result >= 0) after(known);
  });
  return result;
}

/// How long the program waits, for the next `uring_taken`.
template <class Real>
int wait(io_uring* ring, const char* frame, Real real) {
  Lane* lane = enter(frame);
  if (lane == nullptr || !layer_enabled(Layer::uring) || (lane->inside_layers & own_bit) != 0) return real();
  lane->inside_layers |= own_bit;
  uint64_t begun = ticks();
  int result = real();
  uint64_t waited = ticks() - begun;
  lane->inside_layers &= ~own_bit;
  Busy busy(*lane, frame);
  if (RecordedRing* known = find_ring(*lane, *ring)) {
    known->add_wait(waited);
    known->unlock();
  }
  return result;
}

/// The slots of files that are registered, for a description: those of this thread.
template <class V>
void describe_files(V& v, Lane& lane, const int* files, unsigned count) {
  int64_t* slots = lane.draft.lists[0];
  size_t n = files == nullptr ? 0 : std::min<size_t>(count, Draft::max_list);
  for (size_t i = 0; i < n; ++i) {
    Handle handle = files[i] < 0 ? Handle() : shared.descriptors.get(files[i]);
    slots[i] = handle.tracked() && handle.lane() == lane.number() ? int64_t{handle.slot()} : -1;
  }
  v.list(Role::plain, slots, n);
}

/// Files that are met here for the first time are introduced before the call.
void meet_files(const int* files, unsigned count, const char* frame) {
  Lane* lane = enter(frame);
  if (lane == nullptr || !layer_enabled(Layer::uring)) return;
  for (unsigned i = 0; files != nullptr && i < count && i < RecordedRing::most_files; ++i)
    look_at_fd(*lane, files[i]);
}

}  // namespace

#define RF_RING_HOOK(result, name, declarations)           \
  RF_LIBRARY_REAL(name, result declarations)               \
  RF_HOOK result hook_##name declarations RF_SYMBOL(name); \
  result hook_##name declarations

RF_RING_HOOK(int, io_uring_queue_init, (unsigned entries, io_uring* ring, unsigned flags)) {
  return queue_init(entries, ring, flags, RF_SITE, RF_FRAME,
                    [&] { return real_io_uring_queue_init()(entries, ring, flags); });
}
RF_RING_HOOK(int, io_uring_queue_init_params, (unsigned entries, io_uring* ring, io_uring_params* settings)) {
  return queue_init(entries, ring, settings->flags, RF_SITE, RF_FRAME,
                    [&] { return real_io_uring_queue_init_params()(entries, ring, settings); });
}
RF_RING_HOOK(int, io_uring_queue_init_mem,
             (unsigned entries, io_uring* ring, io_uring_params* settings, void* memory, size_t size)) {
  return queue_init(entries, ring, settings->flags, RF_SITE, RF_FRAME,
                    [&] { return real_io_uring_queue_init_mem()(entries, ring, settings, memory, size); });
}
RF_RING_HOOK(void, io_uring_queue_exit, (io_uring * ring)) {
  RingCall call(RowId::uring_io_uring_queue_exit, RF_SITE, RF_FRAME);
  call.look(ring, false);
  call.forget();
  call.make([&] { real_io_uring_queue_exit()(ring); });
  call.finish(0, nothing_more, nothing_more);
}

RF_RING_HOOK(int, io_uring_submit, (io_uring * ring)) {
  return submit(ring, RF_SITE, RF_FRAME, [&] { return real_io_uring_submit()(ring); });
}
RF_RING_HOOK(int, io_uring_submit_and_get_events, (io_uring * ring)) {
  return submit(ring, RF_SITE, RF_FRAME, [&] { return real_io_uring_submit_and_get_events()(ring); });
}
RF_RING_HOOK(int, io_uring_submit_and_wait, (io_uring * ring, unsigned count)) {
  return submit_and_wait(ring, count, true, RF_SITE, RF_FRAME,
                         [&] { return real_io_uring_submit_and_wait()(ring, count); });
}
RF_RING_HOOK(int, io_uring_submit_and_wait_timeout,
             (io_uring * ring, io_uring_cqe** first, unsigned count, __kernel_timespec* limit,
              sigset_t* signals)) {
  return submit_and_wait(ring, count, false, RF_SITE, RF_FRAME, [&] {
    return real_io_uring_submit_and_wait_timeout()(ring, first, count, limit, signals);
  });
}
RF_RING_HOOK(int, io_uring_submit_and_wait_min_timeout,
             (io_uring * ring, io_uring_cqe** first, unsigned count, __kernel_timespec* limit, unsigned least,
              sigset_t* signals)) {
  return submit_and_wait(ring, count, false, RF_SITE, RF_FRAME, [&] {
    return real_io_uring_submit_and_wait_min_timeout()(ring, first, count, limit, least, signals);
  });
}

RF_RING_HOOK(int, io_uring_register_files, (io_uring * ring, const int* files, unsigned count)) {
  meet_files(files, count, RF_FRAME);
  return set_up(
      RowId::uring_io_uring_register_files, ring, RF_SITE, RF_FRAME,
      [&] { return real_io_uring_register_files()(ring, files, count); },
      [&](auto& v) { describe_files(v, *current_lane, files, count); },
      [&](RecordedRing& known) { known.set_files(0, files, count); });
}
RF_RING_HOOK(int, io_uring_register_files_sparse, (io_uring * ring, unsigned count)) {
  return set_up(
      RowId::uring_io_uring_register_files_sparse, ring, RF_SITE, RF_FRAME,
      [&] { return real_io_uring_register_files_sparse()(ring, count); },
      [&](auto& v) { v.integer(Role::plain, count); },
      [&](RecordedRing& known) { known.set_files(0, nullptr, count); });
}
RF_RING_HOOK(int, io_uring_register_files_update,
             (io_uring * ring, unsigned first, const int* files, unsigned count)) {
  meet_files(files, count, RF_FRAME);
  return set_up(
      RowId::uring_io_uring_register_files_update, ring, RF_SITE, RF_FRAME,
      [&] { return real_io_uring_register_files_update()(ring, first, files, count); },
      [&](auto& v) {
        v.integer(Role::plain, first);
        describe_files(v, *current_lane, files, count);
      },
      [&](RecordedRing& known) { known.set_files(first, files, count); });
}
RF_RING_HOOK(int, io_uring_unregister_files, (io_uring * ring)) {
  return set_up(
      RowId::uring_io_uring_unregister_files, ring, RF_SITE, RF_FRAME,
      [&] { return real_io_uring_unregister_files()(ring); }, nothing_more,
      [](RecordedRing& known) { known.forget_files(); });
}
RF_RING_HOOK(int, io_uring_register_buffers, (io_uring * ring, const iovec* buffers, unsigned count)) {
  return set_up(
      RowId::uring_io_uring_register_buffers, ring, RF_SITE, RF_FRAME,
      [&] { return real_io_uring_register_buffers()(ring, buffers, count); },
      [&](auto& v) { describe_vector(v, *current_lane, buffers, count); },
      [&](RecordedRing& known) { known.set_buffers(count); });
}
RF_RING_HOOK(int, io_uring_unregister_buffers, (io_uring * ring)) {
  return set_up(
      RowId::uring_io_uring_unregister_buffers, ring, RF_SITE, RF_FRAME,
      [&] { return real_io_uring_unregister_buffers()(ring); }, nothing_more,
      [](RecordedRing& known) { known.set_buffers(0); });
}

RF_RING_HOOK(int, __io_uring_get_cqe,
             (io_uring * ring, io_uring_cqe** first, unsigned submit, unsigned count, sigset_t* signals)) {
  return wait(ring, RF_FRAME, [&] { return real___io_uring_get_cqe()(ring, first, submit, count, signals); });
}
RF_RING_HOOK(int, io_uring_wait_cqes,
             (io_uring * ring, io_uring_cqe** first, unsigned count, __kernel_timespec* limit,
              sigset_t* signals)) {
  return wait(ring, RF_FRAME, [&] { return real_io_uring_wait_cqes()(ring, first, count, limit, signals); });
}
RF_RING_HOOK(int, io_uring_wait_cqe_timeout,
             (io_uring * ring, io_uring_cqe** first, __kernel_timespec* limit)) {
  return wait(ring, RF_FRAME, [&] { return real_io_uring_wait_cqe_timeout()(ring, first, limit); });
}

}  // namespace refrain::record
