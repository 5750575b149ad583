// One intercepted call of MPI. As for every library, one interpreter reads the kinds of the row's arguments
// at run time. Three things are MPI's own:
//
// - What MPI functions call of MPI is the library's affair, or that of a tool that stands between the MPI_
//   and the PMPI_ names: it passes through. So a call is recorded once, at whichever symbol it arrives first.
// - Communication is timed, not recorded. Whether waiting for requests is communication or I/O is known only
//   when the requests are.
// - Objects are known by their handles, whichever layers are recorded: a file function may use them later.
#pragma once

#include "record/emit.hpp"
#include "record/library_call.hpp"
#include "record/mpi_handles.hpp"

namespace refrain::record {

using api::Use;

inline size_t length_of(int64_t number) { return number < 0 ? 0 : static_cast<size_t>(number); }

/// A row as the hooks know it: kinds without the names and types around them.
struct MpiRow {
  api::RowId id;
  const Kind* kinds;
  api::Traits traits;
};

class MpiCall {
 public:
  static constexpr size_t max_arguments = 12;
  enum class Plan : uint8_t { pass, time, apart, track, record };

  MpiCall(Lane& lane, const api::MpiLibrary& library, const MpiRow& row, const uint64_t* words, size_t count,
          const void* site)
      : lane_(lane), library_(library), row_(row), words_(words), count_(count) {
    outcome_.site = site;
  }
  ~MpiCall() { lane_.arena().release(requests_); }
  MpiCall(const MpiCall&) = delete;
  MpiCall& operator=(const MpiCall&) = delete;

  /// Looks at handles and paths, and lets go of those the call will free. Under Busy.
  Plan before() noexcept;
  /// Names what was made and emits the event. Under Busy.
  void after(int result, bool outer, uint64_t start_ticks, uint64_t end_ticks) noexcept;
  /// Forgets about what a call made, unless it failed, that is left out of the trace, for being communication
  /// with other processes. Under Busy.
  void leave_out_made(int result) noexcept;
  /// The event of a call that failed and changed nothing. Under Busy.
  static void record_failure(Lane& lane, const api::MpiLibrary& library, const MpiRow& row,
                             const uint64_t* words, size_t count, int result,
                             const Outcome& outcome) noexcept;
  /// The event of a call that may not come back. Under Busy.
  void emit_ahead() noexcept;
  /// The event of a call that made `handle` without our seeing it, with the displacements it was given.
  void emit_as_made(Handle handle);

 private:
  struct Request {
    uint64_t word;
    Handle handle;
  };

  template <class T>
  T* pointer(size_t i) const {
    return reinterpret_cast<T*>(words_[i]);
  }
  int64_t integer(size_t i) const { return static_cast<int64_t>(words_[i]); }
  /// The handle that argument `i` is, or that it leads to: as the word by which it is known.
  uint64_t handle(HandleClass c, size_t i) const { return word_of_handle(library_, c, words_[i]); }
  uint64_t handle_behind(HandleClass c, size_t i, size_t index = 0) const {
    return word_of_handle_at(library_, c, pointer<void>(i), index);
  }
  size_t find(Kind kind) const;
  /// The number by which the name of a constant is found.
  uint64_t named(Kind kind, int value) const { return static_cast<uint32_t>(library_.to_named(kind, value)); }

  Plan plan();
  void conclude();
  void count_lost();
  void look(size_t i);
  void look_at_requests(const void* requests, size_t count);
  void forget_done_requests();
  bool came_back_empty() const;
  void name_made(size_t i);
  int64_t bytes_moved() const;
  trace::Bracket bracket() const;
  void emit_event();
  void lay_out_memory();
  std::vector<MemoryBlock> blocks(size_t displacements, size_t length) const;
  bool uses_laid_out() const;

  template <class V>
  void describe(V& v) const;
  template <class V>
  void describe_argument(V& v, size_t i, size_t length) const;
  template <class V>
  void describe_list(V& v, size_t i, size_t length) const;
  template <class V>
  void describe_result(V& v) const;
  Lane& lane_;
  const api::MpiLibrary& library_;
  const MpiRow& row_;
  const uint64_t* words_;
  size_t count_;
  Outcome outcome_;
  MpiHandle handles_[max_arguments];  ///< of arguments that are handles
  MpiHandle made_;
  Request* requests_ = nullptr;  ///< those the call was given
  size_t request_count_ = 0;
  size_t requests_at_ = 0;                ///< the argument
  int64_t moved_ = 0;                     ///< bytes
  std::vector<int64_t> displacements_{};  ///< instead of those given, if not empty; see mpi_addresses.hpp
  bool as_it_is_ = false;                 ///< distances stay what they are
  bool wanted_ = true;
  bool of_files_ = true;  ///< false: waits for communication only
  bool apart_ = false;    ///< on what was made with processes that are no part of this world
};

/// Says that MPI is at work on this thread. Restores on every way out.
class InsideMpi {
 public:
  explicit InsideMpi(Lane& lane) : lane_(lane) { lane.inside_mpi = true; }
  ~InsideMpi() { lane_.inside_mpi = false; }
  InsideMpi(const InsideMpi&) = delete;
  InsideMpi& operator=(const InsideMpi&) = delete;

 private:
  Lane& lane_;
};

/// Makes the call on behalf of a row.
template <class... A>
inline int intercept_mpi(const MpiRow& row, int (*real)(A...), const void* site, const char* frame,
                         A... arguments) {
  Lane* lane = enter(frame);
  const api::MpiLibrary* library = mpi_library();
  if (lane == nullptr || lane->inside_mpi || library == nullptr) return real(arguments...);
  const uint64_t words[] = {word_of(arguments)..., 0};
  static_assert(sizeof...(A) <= MpiCall::max_arguments);
  if (lane->fortran_site != nullptr) site = lane->fortran_site;
  MpiCall call(*lane, *library, row, words, sizeof...(A), site);
  MpiCall::Plan plan;
  {
    Aside aside(*lane);
    Busy busy(*lane, frame);
    plan = call.before();
  }
  InsideMpi inside(*lane);
  if (plan == MpiCall::Plan::pass) return real(arguments...);
  if (plan == MpiCall::Plan::track) {
    int result = real(arguments...);
    Busy busy(*lane, frame);
    call.after(result, false, 0, 0);
    return result;
  }
  Running running(*lane, frame);
  uint64_t start = ticks();
  int result = real(arguments...);
  uint64_t end = ticks();
  running.leave();
  using trace::CommunicationClass;
  if (plan == MpiCall::Plan::time) {
    if (running.outer()) lane->add_communication(CommunicationClass::point_to_point, end - start);
    return result;
  }
  Busy busy(*lane, frame);
  if (plan == MpiCall::Plan::apart) {
    if (running.outer()) lane->add_communication(CommunicationClass::collective, end - start);
    call.leave_out_made(result);
    return result;
  }
  call.after(result, running.outer(), start, end);
  return result;
}

}  // namespace refrain::record
