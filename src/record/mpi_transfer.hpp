// The short way for MPI's blocking reads and writes, which come by the million. It is compiled for each of
// their rows, and taken where everything is known that the description needs: a recorded file, a datatype
// with its size. In any other case, and after a failure, the interpreter does the work (mpi_call.hpp). Both
// describe the call by the same code, so no event shows which way it came.
#pragma once

#include "api/mpi/words.hpp"
#include "record/mpi_call.hpp"
#include "record/mpi_real.hpp"
#include "record/put_lists.hpp"
#include "record/row_traits.hpp"

namespace refrain::record {

/// The arguments of transfers, which other calls have too. False: the kind is none of theirs.
template <class V>
[[gnu::always_inline]] inline bool describe_usual(V& v, Kind kind, uint64_t word, const MpiHandle& handle,
                                                  int64_t moved) {
  switch (kind) {
    case Kind::mpi_file:
    case Kind::mpi_type:
      show(v, handle);
      return true;
    case Kind::offset:
      v.integer(Role::offset, static_cast<int64_t>(word));
      return true;
    case Kind::size:
      v.integer(Role::size, static_cast<int64_t>(word));
      return true;
    case Kind::moved_in:
      v.sized_data(Role::bytes_written, static_cast<uint64_t>(moved));
      return true;
    case Kind::moved_out:
      v.sized_data(Role::bytes_read, static_cast<uint64_t>(moved));
      return true;
    case Kind::io_status:
      return true;
    default:
      return false;
  }
}

/// Asks MPI how many bytes a status tells of; what was asked for if it doesn't know.
int64_t ask_status(const api::MpiLibrary& library, const void* status, int64_t otherwise);

/// A status in place of one that the program ignores, so that it is known how much a call moved.
class OwnStatus {
 public:
  template <class T>
  T in_place_of(const api::MpiLibrary*, T argument) {
    return argument;
  }
  mpi_words::MPI_Status* in_place_of(const api::MpiLibrary* library, mpi_words::MPI_Status* given) {
    if (library == nullptr || reinterpret_cast<uint64_t>(given) != library->status_ignore) return given;
    words_[0] = words_[1] = words_[2] = unset;
    return reinterpret_cast<mpi_words::MPI_Status*>(words_);
  }
  static constexpr uint64_t unset = ~uint64_t{0};

 private:
  uint64_t words_[16];  // more than any library's status; filled in by the library
};

/// Bytes that a successful transfer has moved; where MPI doesn't tell, what was asked for.
inline int64_t transferred(const api::MpiLibrary& library, const void* status, int64_t count,
                           int64_t type_size) {
  if (status == nullptr) return count * type_size;
  if (library.count == api::StatusCount::by_function) return ask_status(library, status, count * type_size);
  bool split = library.count == api::StatusCount::split_at_0;
  uint64_t told;
  std::memcpy(&told, static_cast<const char*>(status) + (split ? 0 : 16), sizeof told);
  if (split && told != OwnStatus::unset) told = (told >> 33) << 32 | (told & 0xffffffff);
  return told != OwnStatus::unset ? static_cast<int64_t>(told) : count * type_size;
}

template <api::RowId id>
class MpiTransfer {
 public:
  static constexpr size_t count = RowOf<id>::kinds.size() - 1;
  /// File, buffer, count, datatype and status, maybe an offset, and nothing else.
  static constexpr bool fits() {
    constexpr Kind own[] = {Kind::mpi_file, Kind::offset,   Kind::moved_in, Kind::moved_out,
                            Kind::size,     Kind::mpi_type, Kind::io_status};
    for (size_t i = 0; i < count; ++i) {
      bool known = false;
      for (Kind kind : own) known |= RowOf<id>::kinds[i + 1] == kind;
      if (!known) return false;
    }
    return place_of(Kind::io_status) < count;
  }

  MpiTransfer(Lane& lane, const api::MpiLibrary& library, const uint64_t* words)
      : lane_(lane), library_(library), words_(words) {}

  /// Whether the short way can be taken. Only reads tables that take no locks.
  bool look() {
    static_assert(fits());
    file_.handle = shared.addresses.look(words_[place_of(Kind::mpi_file)]).handle;
    if (!file_.handle.tracked() || file_.handle.handle_class() != HandleClass::mpi_file) return false;
    uint64_t type = words_[place_of(Kind::mpi_type)];
    type_ = known_type(lane_, word_of_handle(library_, HandleClass::mpi_type, type));
    return type_.size_bytes >= 0 && layer_enabled(Layer::mpiio);
  }

  /// The event of a call that succeeded. Under Busy.
  void finish(const Outcome& outcome) {
    const auto* status = reinterpret_cast<const void*>(words_[place_of(Kind::io_status)]);
    auto count_given = static_cast<int64_t>(words_[place_of(Kind::size)]);
    int64_t moved = transferred(library_, status, count_given, type_.size_bytes);
    emit_repeated(
        lane_, id, outcome,
        [&](auto& v)
            __attribute__((always_inline)) { describe(v, moved, std::make_index_sequence<count>()); },
        [](auto&) {}, [&]() __attribute__((always_inline)) { emit_other(*this, outcome, moved); });
  }

 private:
  /// Of copies: see intercept.hpp.
  [[gnu::noinline, gnu::cold]] static void emit_other(MpiTransfer transfer, Outcome outcome, int64_t moved) {
    emit(
        transfer.lane_, id, outcome,
        [&](auto& v) { transfer.describe(v, moved, std::make_index_sequence<count>()); }, [](auto&) {});
  }
  static constexpr size_t place_of(Kind kind) {
    for (size_t i = 0; i < count; ++i)
      if (RowOf<id>::kinds[i + 1] == kind) return i;
    return count;
  }
  template <class V, size_t... i>
  [[gnu::always_inline]] void describe(V& v, int64_t moved, std::index_sequence<i...>) const {
    (describe_usual(v, kind_of<id, i>, words_[i], kind_of<id, i> == Kind::mpi_file ? file_ : type_.handle,
                    moved),
     ...);
  }

  Lane& lane_;
  const api::MpiLibrary& library_;
  const uint64_t* words_;
  MpiHandle file_;
  KnownType type_;
};

/// Makes the call on behalf of a row that fits. `arguments` are what MPI is given.
template <api::RowId id, class... A>
inline int intercept_transfer(const api::MpiLibrary* library, const MpiRow& row, int (*real)(A...),
                              const void* site, const char* frame, A... arguments) {
  Lane* lane = enter(frame);
  if (lane == nullptr || lane->inside_mpi || library == nullptr) return real(arguments...);
  const uint64_t words[] = {word_of(arguments)...};
  MpiTransfer<id> transfer(*lane, *library, words);
  if (!transfer.look()) [[unlikely]]
    return intercept_mpi(row, real, site, frame, arguments...);
  Outcome outcome{.site = lane->fortran_site != nullptr ? lane->fortran_site : site};
  Running running(*lane, frame);
  outcome.outer = running.outer();
  InsideMpi inside(*lane);
  outcome.start_ticks = ticks();
  int result = real(arguments...);
  outcome.end_ticks = ticks();
  running.leave();
  Busy busy(*lane, frame);
  if (result == 0) [[likely]]
    transfer.finish(outcome);
  else
    MpiCall::record_failure(*lane, *library, row, words, sizeof...(A), result, outcome);
  return result;
}

}  // namespace refrain::record
