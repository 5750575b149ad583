// One intercepted call of a row: its arguments by kind, the handles behind them, and its description for
// the visitors. Irregular functions override single steps at the end of this file.
#pragma once

#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include <algorithm>
#include <tuple>

#include "record/emit.hpp"
#include "record/look.hpp"
#include "record/process_marks.hpp"
#include "record/readable_memory.hpp"
#include "record/real.hpp"
#include "record/row_traits.hpp"

namespace refrain::record {

using api::RowId;
using api::Trait;

template <RowId id, class... A>
struct Call {
  static constexpr size_t count = sizeof...(A);
  static constexpr Kind result_kind = RowOf<id>::result_kind;
  static constexpr bool is(Trait trait) { return api::traits_of_row<id>.has(trait); }
  static constexpr size_t path_count = [] {
    size_t paths = 0;
    for (size_t i = 0; i < count; ++i) paths += api::is_path(RowOf<id>::kinds[i + 1]);
    return paths;
  }();
  static constexpr bool names_paths = path_count > 0;
  Lane& lane;
  std::tuple<A...> arguments;
  Handle handles[count + 1];  ///< of arguments that are handles
  int64_t before[count + 1];  ///< values behind pointers, before the call changed them
  Filter::Verdict verdict = Filter::Verdict::ordinary;  ///< on the path
  KnownPaths::Path* known_path = nullptr;               ///< the path
  uint32_t era = 0;                                     ///< of names, before the call
  Handle made;                                          ///< by the call
  int64_t moved = 0;                                    ///< bytes, for moved_in and moved_out
  bool path_seen = false;
  int error = 0;         ///< of a failed call
  bool faulted = false;  ///< the call failed with EFAULT: pointers may lead nowhere

  Call(Lane& l, A... a) : lane(l), arguments(a...) {}

  template <size_t i>
  auto argument() const {
    return std::get<i>(arguments);
  }
  static constexpr bool takes(Kind kind, HandleClass handle_class) {
    return api::takes_handle(kind) && api::facts_of(kind).handle == handle_class;
  }
  /// Position of the first argument of a kind, or `count`.
  static constexpr size_t find(Kind kind) {
    for (size_t i = 0; i < count; ++i)
      if (RowOf<id>::kinds[i + 1] == kind) return i;
    return count;
  }

  // --- before the call -------------------------------------------------------------------------------

  /// Looks at the handles; true if the call is to be recorded, as far as can be told before it.
  bool look() {
    bool handle_seen = false, tracked = false;
    auto one = [&]<size_t i>() {
      constexpr Kind kind = kind_of<id, i>;
      auto value = argument<i>();
      if constexpr (kind == Kind::dirfd) {
        if (value != AT_FDCWD) handles[i] = look_at_fd(lane, value);
      } else if constexpr (takes(kind, HandleClass::fd)) {
        handles[i] = look_at_fd(lane, value);
      } else if constexpr (takes(kind, HandleClass::stream)) {
        handles[i] = look_at_stream(lane, value);
      } else if constexpr (takes(kind, HandleClass::dir) || takes(kind, HandleClass::aio)) {
        handles[i] = shared.addresses.get(value);
      } else if constexpr (kind == Kind::mapped) {
        auto place = shared.maps.find(value);
        handles[i] = place.handle;
        before[i] = static_cast<int64_t>(place.offset);
      } else if constexpr (api::is_path(kind)) {
        path_seen |= value != nullptr;
        era = names_era.load(std::memory_order_relaxed);
      } else if constexpr (kind == Kind::ioctl_argument) {
        if (std::get<i - 1>(arguments) == clone_request) handles[i] = look_at_fd(lane, as_descriptor(value));
      } else if constexpr (kind == Kind::offset_ptr) {
        bool known = value != nullptr && readable(value, sizeof *value);
        before[i] = known ? static_cast<int64_t>(*value) : 0;
      } else if constexpr (kind == Kind::aio_list || kind == Kind::new_aio_list) {
        handle_seen = true;
        for (int k = 0; value != nullptr && k < std::get<i + 1>(arguments); ++k)
          tracked |= value[k] != nullptr && look_at_fd(lane, value[k]->aio_fildes).tracked();
      }
      if constexpr (api::takes_handle(kind)) {
        handle_seen = true;
        tracked |= handles[i].tracked();
      }
    };
    for_each(one);
    if (!layer_enabled(layer_of(id))) return false;
    return path_seen || !handle_seen || tracked;
  }

  /// The pipe that the call is about, if it is about one.
  Handle pipe() const {
    Handle found;
    auto one = [&]<size_t i>() {
      if (is_pipe(handles[i]) && !is_pipe(found)) found = handles[i];
    };
    for_each(one);
    return found;
  }

  /// Handles that the call closes are gone from the tables before it: another thread may get the same
  /// number as soon as the call is made.
  void release_closed() {
    auto one = [&]<size_t i>() {
      constexpr Kind kind = kind_of<id, i>;
      if constexpr (kind == Kind::closed_fd) {
        free_slot(lane, shared.descriptors.take(argument<i>(), others_at_tables(lane)));
      } else if constexpr (kind == Kind::closed_stream) {
        if (argument<i>() == nullptr) return;
        forget_fd(descriptor_of(argument<i>()));
        forget_address(argument<i>());
      } else if constexpr (kind == Kind::closed_dir) {
        if (argument<i>() == nullptr) return;
        if (handles[i].tracked()) forget_fd(real::dirfd(argument<i>()));
        forget_address(argument<i>());
      } else if constexpr (kind == Kind::closed_aio) {
        forget_address(argument<i>());
      }
    };
    for_each(one);
  }

  // --- after the call --------------------------------------------------------------------------------

  Kind actual_result_kind() const {
    if constexpr (id == RowId::posix_fcntl) {
      int command = std::get<1>(arguments);
      if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return Kind::new_fd;
    }
    return result_kind;
  }

  /// The error number of a failed call, or 0.
  template <class R>
  int error_of(R result, int error_number) const {
    constexpr api::Fails fails = api::facts_of(result_kind).fails;
    if constexpr (fails == api::Fails::nonzero)
      return static_cast<int>(result);
    else if constexpr (fails == api::Fails::map_failed)
      return result == MAP_FAILED ? error_number : 0;
    else if constexpr (fails == api::Fails::null)
      return result == nullptr ? error_number : 0;
    else if constexpr (fails == api::Fails::never)
      return 0;
    else if constexpr (result_kind == Kind::read_bytes && find(Kind::stream) < count)
      return result < 0 && !real::at_end(argument<find(Kind::stream)>()) ? error_number : 0;
    else
      return result < 0 ? error_number : 0;
  }

  /// True if any of the paths is to be recorded. After the call, which has shown whether they can be read.
  bool judge_paths() {
    bool wanted = false;
    Handle directory;
    int directory_fd = -1;
    auto one = [&]<size_t i>() {
      constexpr Kind kind = kind_of<id, i>;
      if constexpr (kind == Kind::dirfd) {
        directory = handles[i];
        directory_fd = argument<i>();
      }
      if constexpr (api::is_path(kind)) {
        auto value = argument<i>();
        if (value == nullptr) return;
        bool known = !faulted || readable_text(value);
        KnownPaths::Path* place = nullptr;  // not the member: asking for its place would keep all in memory
        if (known) verdict = judge_path_at(lane, value, directory, directory_fd, &place);
        if (place != nullptr) known_path = place;
        wanted |= !known || verdict != Filter::Verdict::excluded;
      }
    };
    for_each(one);
    return wanted;
  }

  /// What the call, which worked, says about names that calls made up.
  void note_names() {
    constexpr bool removes = is(Trait::removes_file), moves = is(Trait::renames_file);
    auto one = [&]<size_t i>() {
      if constexpr (kind_of<id, i> == Kind::path)
        if (argument<i>() != nullptr)
          note_made_name(argument<i>(), !removes && !(moves && i == find(Kind::path)));
      if constexpr (kind_of<id, i> == Kind::made_path)
        remember_made_name(lane, argument<i>(), suffix_length());
    };
    for_each(one);
  }

  /// Gives slots to what a successful call made. False if it made something that is not to be recorded.
  template <class R>
  bool name_made(R result) {
    if constexpr (has_kind<id>({Kind::new_aio})) {
      constexpr size_t a = find(Kind::new_aio);
      if (handles[find(Kind::fd)].tracked()) handles[a] = name_address(lane, HandleClass::aio, argument<a>());
    }
    if constexpr (has_kind<id>({Kind::new_aio_list})) {
      constexpr size_t a = find(Kind::new_aio_list);
      for (int k = 0; k < std::get<a + 1>(arguments); ++k)
        if (auto* request = argument<a>()[k]) name_address(lane, HandleClass::aio, request);
    }
    if constexpr (result_kind == Kind::same_fd) {
      made = shared.descriptors.get(result);
      if (made.state() == Handle::State::unknown) made = name_copy(lane, result, handles[0]);
      made = Handle(made.state(), HandleClass::fd, made.lane(), made.slot());
    }
    if constexpr (std::is_integral_v<R>) {
      if (actual_result_kind() != Kind::new_fd) return true;
      if constexpr (find(Kind::path) < count || find(Kind::made_path) < count)
        made = name_new_fd(lane, static_cast<int>(result), verdict, known_path, era);
      else if constexpr (find(Kind::fd) < count)
        made = name_copy(lane, static_cast<int>(result), handles[find(Kind::fd)]);
      if constexpr (find(Kind::target_fd) < count) return true;
      return made.tracked();
    } else if constexpr (result_kind == Kind::new_map) {
      if (handles[find(Kind::fd)].tracked()) made = name_map(lane, result, std::get<1>(arguments));
    } else if constexpr (result_kind == Kind::new_stream || result_kind == Kind::new_dir) {
      constexpr auto handle_class = result_kind == Kind::new_stream ? HandleClass::stream : HandleClass::dir;
      bool wanted = true;
      if constexpr (find(Kind::fd) < count)
        wanted = handles[find(Kind::fd)].tracked();
      else if constexpr (id == RowId::stdio_fopencookie)
        wanted = true;
      else if constexpr (result_kind == Kind::new_stream)
        wanted = stream_counts(result);
      else
        wanted = verdict != Filter::Verdict::excluded;
      if (wanted) {
        made = name_address(lane, handle_class, result);
      } else {
        forget_address(result);
        shared.addresses.set(result, made = Handle::ignored());
      }
      return made.tracked();
    }
    return true;
  }

  bool stream_counts(FILE* stream) const {
    forget_fd(descriptor_of(stream));  // it gets a slot of its own if the application asks for it
    return fd_counts(descriptor_of(stream), verdict);
  }

  // --- description -----------------------------------------------------------------------------------

  template <class V>
  [[gnu::always_inline]] void describe(V& v) const {
    auto one = [&]<size_t i>() { describe_argument<i>(v); };
    for_each(one);
  }

  template <class V>
  static void show(V& v, Handle handle) {
    if (handle.tracked())
      v.slot(handle);
    else
      v.fixed("other");
  }

  template <size_t i, class V>
  [[gnu::always_inline]] void describe_argument(V& v) const {
    constexpr Kind kind = kind_of<id, i>;
    auto value = argument<i>();
    if constexpr (kind == Kind::dirfd) {
      if (value == AT_FDCWD)
        v.fixed("AT_FDCWD");
      else
        show(v, handles[i]);
    } else if constexpr (kind == Kind::target_fd) {
      v.integer(Role::plain, value);
    } else if constexpr (kind == Kind::stream && id == RowId::stdio_fflush) {
      if (value == nullptr)
        v.fixed("NULL");
      else
        show(v, handles[i]);
    } else if constexpr (kind == Kind::mapped) {
      show(v, handles[i]);
      v.integer(Role::offset, before[i]);
    } else if constexpr (api::form_of(kind) == api::Form::system_handle) {
      show(v, handles[i]);
    } else if constexpr (api::is_path(kind)) {
      if (value == nullptr)
        v.fixed("NULL");
      else if (faulted && !readable_text(value))
        v.fixed("unreadable");
      else
        describe_path<kind>(v, value);
    } else if constexpr (kind == Kind::text) {
      if (value == nullptr)
        v.fixed("NULL");
      else if (faulted && !readable_text(value))
        v.fixed("unreadable");
      else
        v.word(value);
    } else if constexpr (kind == Kind::size) {
      v.integer(Role::size, static_cast<int64_t>(value));
    } else if constexpr (kind == Kind::offset) {
      v.integer(Role::offset, static_cast<int64_t>(value));
    } else if constexpr (kind == Kind::integer) {
      v.integer(Role::plain, static_cast<int64_t>(value));
    } else if constexpr (kind == Kind::offset_ptr) {
      v.mark();
      if (value == nullptr)
        v.fixed("NULL");
      else
        v.integer(Role::offset, before[i]);
    } else if constexpr (kind == Kind::iov_in || kind == Kind::iov_out) {
      describe_vector(v, value, std::get<i + 1>(arguments));
    } else if constexpr (kind == Kind::fcntl_argument) {
      describe_fcntl(v, std::get<i - 1>(arguments), value);
    } else if constexpr (kind == Kind::ioctl_argument) {
      if (std::get<i - 1>(arguments) == clone_request) show(v, handles[i]);
    } else if constexpr (kind == Kind::aio_list || kind == Kind::new_aio_list) {
      describe_requests(v, value, std::get<i + 1>(arguments));
    } else if constexpr (kind == Kind::data_in || kind == Kind::data_out) {
      v.data();
    } else if constexpr (kind == Kind::moved_in) {
      v.sized_data(Role::bytes_written, static_cast<uint64_t>(moved));
    } else if constexpr (kind == Kind::moved_out) {
      v.sized_data(Role::bytes_read, static_cast<uint64_t>(moved));
    } else if constexpr (kind == Kind::mode) {
      if (value != no_mode) v.name(kind, value);
    } else if constexpr (kind != Kind::implied) {
      v.name(kind, static_cast<uint64_t>(static_cast<std::make_unsigned_t<decltype(value)>>(value)));
    }
  }

  template <Kind kind, class V>
  void describe_path(V& v, const char* value) const {
    // A template that is none is left as it was.
    if (kind == Kind::made_path && error != 0 && error != EINVAL)
      v.text(path_before_made(lane, value, suffix_length()));
    else
      v.path(value, path_count == 1 ? known_path : nullptr);
  }

  /// What follows the part of a name that the call makes up.
  size_t suffix_length() const {
    constexpr size_t i = find(Kind::integer);
    if constexpr (i < count)
      return argument<i>() < 0 ? 0 : static_cast<size_t>(argument<i>());
    else
      return 0;
  }

  /// FICLONE: makes one file a copy of another, which is given by its descriptor.
  static constexpr unsigned long clone_request = _IOW(0x94, 9, int);
  static int as_descriptor(void* argument) { return static_cast<int>(reinterpret_cast<intptr_t>(argument)); }

  /// Stands for the mode of an open() that has none.
  static constexpr mode_t no_mode = ~mode_t{0};

  template <class V>
  void describe_vector(V& v, const iovec* vector, int length) const {
    int64_t* lengths = lane.draft.lists[0];
    int n = vector == nullptr || length < 0 ? 0 : std::min(length, Draft::max_list);
    if (faulted && n > 0 && !readable(vector, static_cast<size_t>(n) * sizeof *vector))
      return v.fixed("unreadable");
    for (int k = 0; k < n; ++k) lengths[k] = static_cast<int64_t>(vector[k].iov_len);
    v.list(Role::size, lengths, static_cast<size_t>(n));
  }

  template <class V>
  void describe_fcntl(V& v, int command, long value) const {
    switch (command) {
      case F_SETLK:
      case F_SETLKW:
      case F_GETLK:
      case F_OFD_SETLK:
      case F_OFD_SETLKW:
      case F_OFD_GETLK: {
        auto* lock = reinterpret_cast<const struct flock*>(value);
        if (lock == nullptr) return v.fixed("NULL");
        if (faulted && !readable(lock, sizeof *lock)) return v.fixed("unreadable");
        int64_t numbers[] = {lock->l_type, lock->l_whence, lock->l_start, lock->l_len};
        return v.list(Role::plain, numbers, 4);
      }
      case F_SETFL:
        return v.name(Kind::open_flags, static_cast<uint64_t>(value));
      case F_GETFD:
      case F_GETFL:
      case F_GETOWN:
      case F_GETSIG:
      case F_GETLEASE:
      case F_GETPIPE_SZ:
      case F_GET_SEALS:
        return;
      case F_SETFD:
      case F_DUPFD:
      case F_DUPFD_CLOEXEC:
      case F_SETOWN:
      case F_SETSIG:
      case F_SETLEASE:
      case F_NOTIFY:
      case F_SETPIPE_SZ:
      case F_ADD_SEALS:
        return v.integer(Role::plain, value);
      default:
        return v.data();
    }
  }

  template <class V, class Requests>
  void describe_requests(V& v, Requests requests, int length) const {
    auto& [slots, descriptors, sizes, offsets, operations] = lane.draft.lists;
    int n = requests == nullptr || length < 0 ? 0 : std::min(length, Draft::max_list);
    for (int k = 0; k < n; ++k) {
      const aiocb* request = requests[k];
      Handle handle = request == nullptr ? Handle() : shared.addresses.get(request);
      slots[k] = handle.tracked() ? handle.slot() : -1;
      descriptors[k] =
          request == nullptr ? -1 : static_cast<int64_t>(shared.descriptors.get(request->aio_fildes).slot());
      sizes[k] = request == nullptr ? 0 : static_cast<int64_t>(request->aio_nbytes);
      offsets[k] = request == nullptr ? 0 : request->aio_offset;
      operations[k] = request == nullptr ? 0 : request->aio_lio_opcode;
    }
    auto size = static_cast<size_t>(n);
    v.list(Role::plain, slots, size);
    if constexpr (id == RowId::posix_lio_listio) {
      v.list(Role::plain, descriptors, size);
      v.list(Role::plain, operations, size);
      v.list(Role::size, sizes, size);
      v.list(Role::offset, offsets, size);
    }
  }

  template <class V, class R>
  [[gnu::always_inline]] void describe_result(V& v, R result) const {
    if constexpr (std::is_pointer_v<R>) {
      if constexpr (result_kind == Kind::text_end || result_kind == Kind::entry)
        v.integer(Role::plain, result != nullptr);
      else if constexpr (result_kind != Kind::same_path)
        show(v, made);
    } else {
      switch (actual_result_kind()) {
        case Kind::new_fd:
        case Kind::same_fd:
          return show(v, made);
        case Kind::read_bytes:
          return v.integer(Role::bytes_read, result < 0 ? 0 : static_cast<int64_t>(result));
        case Kind::written_bytes:
          return v.integer(Role::bytes_written, static_cast<int64_t>(result));
        case Kind::character:
          return v.integer(character_role(), static_cast<int>(result) != EOF);
        case Kind::count:
        case Kind::items:
        case Kind::integer:
          return v.integer(Role::plain, static_cast<int64_t>(result));
        default:
          return;
      }
    }
  }

  static constexpr Role character_role() {
    if (is(Trait::reads_character)) return Role::bytes_read;
    return is(Trait::writes_character) ? Role::bytes_written : Role::plain;
  }

  static constexpr trace::Bracket bracket() {
    bool makes = has_use<id>(api::Use::made), closes = closes_handle<id> || is(Trait::unmaps_file);
    if (makes == closes) return trace::Bracket::neither;
    return makes ? trace::Bracket::opens : trace::Bracket::closes;
  }

  template <class F>
  static void for_each(F& f) {
    [&]<size_t... i>(std::index_sequence<i...>) { (f.template operator()<i>(), ...); }
    (std::make_index_sequence<count>());
  }
};

}  // namespace refrain::record
