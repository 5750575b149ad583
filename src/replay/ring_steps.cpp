// See ring_steps.hpp. liburing is found at run time; a recorder that is loaded too stands before it.
#include "replay/ring_steps.hpp"

#include <errno.h>
#include <limits.h>
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "replay/argument_words.hpp"
#include "replay/replay_error.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {
namespace {

#include "api/uring/user_ring.h"

/// The functions of liburing that rings need.
struct Functions {
  int (*queue_init)(unsigned, io_uring*, unsigned);
  void (*queue_exit)(io_uring*);
  int (*submit)(io_uring*);
  int (*submit_and_wait_timeout)(io_uring*, io_uring_cqe**, unsigned, __kernel_timespec*, sigset_t*);
  int (*wait_cqes)(io_uring*, io_uring_cqe**, unsigned, __kernel_timespec*, sigset_t*);
  int (*register_files)(io_uring*, const int*, unsigned);
  int (*register_files_update)(io_uring*, unsigned, const int*, unsigned);
  int (*unregister_files)(io_uring*);
  int (*register_buffers)(io_uring*, const iovec*, unsigned);
  int (*unregister_buffers)(io_uring*);
};
Functions liburing{};
/// Not in all versions: looked up when it is needed.
int (*files_sparse)(io_uring*, unsigned) = nullptr;

void find_functions(Libraries& libraries) {
  auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(libraries.function(name));
  };
  find(liburing.queue_init, "io_uring_queue_init");
  find(liburing.queue_exit, "io_uring_queue_exit");
  find(liburing.submit, "io_uring_submit");
  find(liburing.submit_and_wait_timeout, "io_uring_submit_and_wait_timeout");
  find(liburing.wait_cqes, "io_uring_wait_cqes");
  find(liburing.register_files, "io_uring_register_files");
  find(liburing.register_files_update, "io_uring_register_files_update");
  find(liburing.unregister_files, "io_uring_unregister_files");
  find(liburing.register_buffers, "io_uring_register_buffers");
  find(liburing.unregister_buffers, "io_uring_unregister_buffers");
}

// The names by which the rings' text knows them.
int io_uring_queue_init(unsigned entries, io_uring* ring, unsigned flags) {
  return liburing.queue_init(entries, ring, flags);
}
void io_uring_queue_exit(io_uring* ring) { liburing.queue_exit(ring); }
int io_uring_submit(io_uring* ring) { return liburing.submit(ring); }
int io_uring_submit_and_wait_timeout(io_uring* ring, io_uring_cqe** first, unsigned count,
                                     __kernel_timespec* limit, sigset_t* signals) {
  return liburing.submit_and_wait_timeout(ring, first, count, limit, signals);
}
int io_uring_wait_cqes(io_uring* ring, io_uring_cqe** first, unsigned count, __kernel_timespec* limit,
                       sigset_t* signals) {
  return liburing.wait_cqes(ring, first, count, limit, signals);
}
int io_uring_register_files(io_uring* ring, const int* files, unsigned count) {
  return liburing.register_files(ring, files, count);
}
int io_uring_register_files_sparse(io_uring* ring, unsigned count) { return files_sparse(ring, count); }
int io_uring_register_files_update(io_uring* ring, unsigned first, const int* files, unsigned count) {
  return liburing.register_files_update(ring, first, files, count);
}
int io_uring_unregister_files(io_uring* ring) { return liburing.unregister_files(ring); }
int io_uring_register_buffers(io_uring* ring, const iovec* buffers, unsigned count) {
  return liburing.register_buffers(ring, buffers, count);
}
int io_uring_unregister_buffers(io_uring* ring) { return liburing.unregister_buffers(ring); }

#include "base/io_ring.h"

/// A file that is being opened: where its descriptor is put, and the slot that it is for.
struct Opening {
  int fd = -1;
  Handles::Shelf* shelf = nullptr;
  int64_t slot = 0;
};

struct Ring {
  ring state{};
  std::mutex mutex{};
  std::list<Opening> openings{};
};

/// All rings of this process, also those that were ended: slots may still name them.
class Rings {
 public:
  Rings() = default;
  Rings(const Rings&) = delete;
  Rings& operator=(const Rings&) = delete;
  /// What is in flight at the end is waited for.
  ~Rings() {
    Quiet quiet;
    for (auto& one : rings_) (void)ring_settle(&one->state);
  }
  Ring& add() {
    std::lock_guard lock(mutex_);
    return *rings_.emplace_back(std::make_unique<Ring>());
  }
  /// Throws ReplayError if the word is none.
  Ring& at(uint64_t word) {
    std::lock_guard lock(mutex_);
    for (auto& one : rings_)
      if (reinterpret_cast<uint64_t>(one.get()) == word) return *one;
    throw ReplayError{ring_reason(ring_is_none)};
  }

 private:
  std::mutex mutex_{};
  std::vector<std::unique_ptr<Ring>> rings_{};
};

Rings& rings() {
  static Rings all;
  return all;
}

/// The ring of a call, in use by nobody else.
class RingInUse {
 public:
  explicit RingInUse(Arguments& a)
      : ring_(rings().at(*reinterpret_cast<const uint64_t*>(a.word("ring")))), lock_(ring_.mutex) {}
  operator ring*() { return &ring_.state; }
  Ring& whole() { return ring_; }

 private:
  Ring& ring_;
  std::lock_guard<std::mutex> lock_;
};

/// The result as a word. Throws ReplayError if it is that of a failed call.
uint64_t checked(int result) {
  if (result < 0) throw ReplayError{ring_reason(result)};
  return static_cast<uint64_t>(result);
}

int descriptor(Arguments& a, const char* name = "fd") { return static_cast<int>(a.word(name)); }
unsigned bits(Arguments& a, const char* name = "flags") { return static_cast<unsigned>(a.word(name)); }
int64_t number(Arguments& a, const char* name) { return static_cast<int64_t>(a.word(name)); }
template <class T>
T* pointer(Arguments& a, const char* name) {
  return reinterpret_cast<T*>(a.word(name));
}
bool is(Arguments& a, std::string_view function) { return a.plan().row->name == function; }

}  // namespace

int64_t registered_file(int64_t place) {
  if (place < 0 || place > 1 << 15) throw ReplayError{ring_reason(ring_lacks_file)};
  return REGISTERED(place);
}

uint64_t make_ring(Arguments& a) {
  find_functions(a.stage().libraries);
  refrain_wall_share();  // paths are used when entries are submitted, and looked at before
  auto* place = pointer<uint64_t>(a, "ring");
  Ring& made = rings().add();
  *place = reinterpret_cast<uint64_t>(&made);
  return checked(ring_init(number(a, "entries"), &made.state, bits(a)));
}
uint64_t end_ring(Arguments& a) { return checked(ring_exit(RingInUse(a))); }
uint64_t submit_ring(Arguments& a) {
  int64_t completions = is(a, "io_uring_submit") ? 0 : number(a, "completions");
  return checked(ring_submit(RingInUse(a), completions));
}

uint64_t register_files(Arguments& a) {
  RingInUse ring(a);
  if (is(a, "io_uring_register_files_sparse")) {
    files_sparse = a.stage().libraries.get<int(io_uring*, unsigned)>("io_uring_register_files_sparse");
    return checked(ring_register_no_files(ring, number(a, "count")));
  }
  auto* files = pointer<const int>(a, "files");
  auto count = static_cast<int64_t>(a.length("files"));
  if (is(a, "io_uring_register_files")) return checked(ring_register_files(ring, files, count));
  return checked(ring_update_files(ring, number(a, "first"), files, count));
}
uint64_t unregister_files(Arguments& a) { return checked(ring_unregister_files(RingInUse(a))); }
uint64_t register_buffers(Arguments& a) {
  RingInUse ring(a);
  return checked(ring_register_buffers(ring, pointer<const iovec>(a, "vector"), number(a, "vector_length")));
}
uint64_t unregister_buffers(Arguments& a) { return checked(ring_unregister_buffers(RingInUse(a))); }

uint64_t put_transfer(Arguments& a) {
  RingInUse ring(a);
  auto* memory = pointer<void>(a, "buffer");
  auto rw_flags = static_cast<int>(bits(a, "rw_flags"));
  int64_t size = number(a, "size"), offset = number(a, "offset");
  if (is(a, "uring_read"))
    return checked(uring_read(ring, descriptor(a), memory, size, offset, bits(a), rw_flags));
  return checked(uring_write(ring, descriptor(a), memory, size, offset, bits(a), rw_flags));
}
uint64_t put_vector(Arguments& a) {
  auto* put = is(a, "uring_readv") ? uring_readv : uring_writev;
  return checked(put(RingInUse(a), descriptor(a), pointer<const iovec>(a, "vector"),
                     number(a, "vector_length"), number(a, "offset"), bits(a),
                     static_cast<int>(bits(a, "rw_flags"))));
}
uint64_t put_fixed(Arguments& a) {
  auto* put = is(a, "uring_read_fixed") ? uring_read_fixed : uring_write_fixed;
  return checked(put(RingInUse(a), descriptor(a), number(a, "buffer"), number(a, "size"), number(a, "offset"),
                     bits(a), static_cast<int>(bits(a, "rw_flags"))));
}
uint64_t put_fsync(Arguments& a) {
  return checked(uring_fsync(RingInUse(a), descriptor(a), bits(a, "how"), bits(a)));
}
uint64_t put_sync_file_range(Arguments& a) {
  return checked(uring_sync_file_range(RingInUse(a), descriptor(a), number(a, "offset"), number(a, "length"),
                                       bits(a, "how"), bits(a)));
}
uint64_t put_fallocate(Arguments& a) {
  return checked(uring_fallocate(RingInUse(a), descriptor(a), static_cast<int>(a.word("mode")),
                                 number(a, "offset"), number(a, "length"), bits(a)));
}
uint64_t put_ftruncate(Arguments& a) {
  return checked(uring_ftruncate(RingInUse(a), descriptor(a), number(a, "length"), bits(a)));
}
uint64_t put_fadvise(Arguments& a) {
  return checked(uring_fadvise(RingInUse(a), descriptor(a), number(a, "offset"), number(a, "length"),
                               bits(a, "advice"), bits(a)));
}
uint64_t put_close(Arguments& a) { return checked(uring_close(RingInUse(a), descriptor(a), bits(a))); }

/// The slot has no descriptor until the file is open.
uint64_t put_openat(Arguments& a) {
  auto* path = pointer<const char>(a, "path");
  RingInUse ring(a);
  auto [shelf, slot] = a.made();
  if (shelf == nullptr) throw ReplayError{"opens a file that has no name"};
  std::list<Opening>& openings = ring.whole().openings;
  openings.push_back({.shelf = shelf, .slot = slot});
  int result = uring_openat(ring, &openings.back().fd, descriptor(a, "dirfd"), path,
                            static_cast<int>(a.word("how")), bits(a, "mode"), bits(a));
  if (result < 0) openings.pop_back();
  checked(result);
  return static_cast<uint64_t>(-1);
}
uint64_t put_statx(Arguments& a) {
  auto* path = pointer<const char>(a, "path");
  return checked(uring_statx(RingInUse(a), descriptor(a, "dirfd"), path, static_cast<int>(a.word("how")),
                             bits(a, "mask"), bits(a)));
}
uint64_t put_unlinkat(Arguments& a) {
  auto* path = pointer<const char>(a, "path");
  return checked(
      uring_unlinkat(RingInUse(a), descriptor(a, "dirfd"), path, static_cast<int>(a.word("how")), bits(a)));
}
uint64_t put_mkdirat(Arguments& a) {
  auto* path = pointer<const char>(a, "path");
  return checked(uring_mkdirat(RingInUse(a), descriptor(a, "dirfd"), path, bits(a, "mode"), bits(a)));
}
uint64_t put_nop(Arguments& a) {
  if (is(a, "uring_nop")) return checked(uring_nop(RingInUse(a), bits(a)));
  return checked(uring_other(RingInUse(a), static_cast<int>(a.word("operation")), bits(a)));
}

uint64_t take_completions(Arguments& a) {
  RingInUse ring(a);
  int result = uring_taken(ring, number(a, "completions"), number(a, "opened"), number(a, "failed"));
  ring.whole().openings.remove_if([](const Opening& one) {
    if (one.fd >= 0) one.shelf->put(one.slot, static_cast<uint64_t>(one.fd));
    return one.fd >= 0;
  });
  return checked(result);
}

}  // namespace refrain::replay
