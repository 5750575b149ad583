// Merging in place; see in_place.hpp. All messages go over a communicator of our own, made when MPI starts:
// it can't catch or disturb the application's messages. MPI is called through pointers found at run time,
// by its profiling names, with errors returned and not raised.
#include "record/in_place.hpp"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cstdio>

#include "base/clock.hpp"
#include "base/environment.hpp"
#include "base/hash.hpp"
#include "base/launcher.hpp"
#include "format/file.hpp"
#include "merge/finish.hpp"
#include "merge/side_by_side.hpp"
#include "part/part_trace.hpp"
#include "record/gathering.hpp"
#include "record/mpi_handles.hpp"
#include "record/mpi_real.hpp"
#include "record/rank_tree.hpp"
#include "record/real.hpp"
#include "record/recorder.hpp"
#include "record/thread_numbers.hpp"

namespace refrain::record {
namespace {

constexpr uint32_t init_patience_ms = 1000;
constexpr uint32_t default_patience_ms = 10'000;
constexpr int tag = 7;

struct World {
  uint64_t id = 0;
  uint32_t rank = 0, size = 0;
  const api::MpiLibrary* mpi = nullptr;
  uint64_t own = 0;  ///< our communicator, in the library's own form
  Gathering* place = nullptr;
  bool together = false;
};
World world;

RF_OWN_MPI(MPI_Comm_dup, int(uint64_t, uint64_t*))
RF_OWN_MPI(MPI_Comm_set_errhandler, int(uint64_t, uint64_t))
RF_OWN_MPI(MPI_Isend, int(const void*, int, uint64_t, int, int, uint64_t, uint64_t*))
RF_OWN_MPI(MPI_Test, int(uint64_t*, int*, void*))
RF_OWN_MPI(MPI_Improbe, int(int, int, uint64_t, int*, uint64_t*, void*))
RF_OWN_MPI(MPI_Imrecv, int(void*, int, uint64_t, uint64_t*, uint64_t*))
RF_OWN_MPI(MPI_Get_count, int(const void*, uint64_t, int*))

bool setting_is(const char* name, const char* value) {
  const char* found = getenv(name);
  return found != nullptr && strcmp(found, value) == 0;
}

uint32_t patience_ms() {
  const char* value = getenv(environment::patience.name);
  long seconds = value == nullptr ? 0 : strtol(value, nullptr, 10);
  return seconds > 0 && seconds < 86'400 ? static_cast<uint32_t>(seconds) * 1000 : default_patience_ms;
}

/// Messages over our communicator. Polls, and sleeps more and more between looks: with more ranks than cores
/// the partner needs the processor.
class MpiChannel : public Channel {
 public:
  bool send(uint32_t to, std::span<const uint8_t> message, uint32_t patience) override {
    if (message.size() > size_t{1} << 30) return false;
    // Not given back before it is taken: if the partner never does, it stays.
    auto* copy = static_cast<uint8_t*>(raw::map_memory(message.size()));
    if (copy == nullptr) return false;
    std::copy(message.begin(), message.end(), copy);
    uint64_t request = 0;
    if (own_MPI_Isend()(copy, static_cast<int>(message.size()), byte_, static_cast<int>(to), tag, world.own,
                        &request) != 0)
      return false;
    int done = 0;
    bool sent = wait(patience, [&] { return own_MPI_Test()(&request, &done, ignored_) != 0 || done; });
    if (sent && done) raw::unmap(copy, message.size());
    return sent && done;
  }

  std::optional<std::vector<uint8_t>> receive(uint32_t from, uint32_t patience) override {
    int there = 0;
    uint64_t message = 0;
    uint64_t status[16];  // more than any library's
    auto found = [&] {
      return own_MPI_Improbe()(static_cast<int>(from), tag, world.own, &there, &message, status) != 0 ||
             there;
    };
    if (!wait(patience, found) || !there) return std::nullopt;
    int size = 0;
    if (own_MPI_Get_count()(status, byte_, &size) != 0 || size < 0) return std::nullopt;
    std::vector<uint8_t> bytes(static_cast<size_t>(size));
    uint64_t request = 0;
    if (own_MPI_Imrecv()(bytes.data(), size, byte_, &message, &request) != 0) return std::nullopt;
    int done = 0;
    auto complete = [&] { return own_MPI_Test()(&request, &done, ignored_) != 0 || done; };
    if (wait(patience, complete) && done) return bytes;
    new std::vector<uint8_t>(std::move(bytes));  // MPI may still write there
    return std::nullopt;
  }

 private:
  template <class Done>
  static bool wait(uint32_t patience, Done done) {
    long pause_ns = 2000;
    for (uint64_t end = monotonic_ms() + patience; !done();) {
      if (monotonic_ms() >= end) return false;
      timespec pause{0, pause_ns};
      nanosleep(&pause, nullptr);
      pause_ns = std::min(pause_ns * 2, 500'000L);
    }
    return true;
  }

  uint64_t byte_ = own_predefined(*world.mpi, "MPI_BYTE");
  void* ignored_ = reinterpret_cast<void*>(world.mpi->status_ignore);
};

/// What this process recorded so far, all threads; nothing if some thread is still at it: its lane can't be
/// closed from here.
bool offer_all() {
  bool offered = true;
  for (uint32_t n = 0; n < max_threads && offered; ++n) {
    Lane* lane = lane_number(n);
    if (lane == nullptr || !lane->recording()) continue;
    if (lane != current_lane && number_runs(static_cast<int>(n))) return false;
    Arena* arena = use_arena(&lane->arena());
    offered = lane->offer(world.id) == 0;
    use_arena(arena);
  }
  return offered;
}

std::optional<trace::Trace> own_trace() {
  std::vector<trace::Trace> pieces;
  for (uint32_t n = 0; n < max_threads; ++n) {
    Lane* lane = lane_number(n);
    if (lane == nullptr || !lane->recording()) continue;
    auto part = read_part_file(lane->part_path());
    if (!part) return std::nullopt;
    auto more = part_pieces(*part, Extent::offered);
    if (!more) return std::nullopt;
    std::move(more->begin(), more->end(), std::back_inserter(pieces));
  }
  if (pieces.empty()) return std::nullopt;
  trace::Trace whole = merge::side_by_side(std::move(pieces));
  join_processes(whole);
  whole.nprocs = world.size;
  for (trace::Process& process : whole.processes) {
    process.ranks = trace::RankSet::range(world.rank, 1);
    process.ending = trace::Ending::exited;  // the part says so if it isn't true in the end
  }
  return whole;
}

/// The file appears whole or not at all.
void write_merged(const trace::Trace& trace) {
  std::vector<uint8_t> bytes = format::encode_raw(trace);
  char path[512], fresh[520];
  std::snprintf(path, sizeof path, "%s/merged-%016llx.rfn", parts_folder(),
                static_cast<unsigned long long>(world.id));
  std::snprintf(fresh, sizeof fresh, "%s.new", path);
  int fd = raw::open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return;
  size_t done = 0;
  while (done < bytes.size()) {
    long n = raw::pwrite(fd, bytes.data() + done, bytes.size() - done, done);
    if (n == -EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  raw::close(fd);
  if (done == bytes.size())
    raw::call(SYS_renameat2, AT_FDCWD, fresh, AT_FDCWD, path, 0);
  else
    raw::unlink(fresh);
}

}  // namespace

void before_mpi_init() {
  if (setting_is(environment::in_place.name, "never")) return;
  world.id = job_number();
  SessionPage* page = session_page();
  if (page == nullptr || world.id == 0) return;
  world.place = find_gathering(*page, world.id);
  if (world.place != nullptr) arrive(*world.place);
}

void after_mpi_init(uint32_t rank, uint32_t size) {
  if (setting_is(environment::in_place.name, "never")) return;
  world.mpi = mpi_library();
  if (world.mpi == nullptr) return;
  world.rank = rank;
  world.size = size;
  if (size == 1) {
    if (world.id == 0) world.id = hash_combine(raw::pid(), ticks());
    world.together = true;
    return;
  }
  bool told = setting_is(environment::in_place.name, "always");
  if (!told && launched().on_several_hosts()) return;
  if (!told && (world.place == nullptr || decide(*world.place, size, init_patience_ms) != Decision::together))
    return;
  if (own_MPI_Comm_dup()(own_predefined(*world.mpi, "MPI_COMM_WORLD"), &world.own) != 0) return;
  own_MPI_Comm_set_errhandler()(world.own, own_predefined(*world.mpi, "MPI_ERRORS_RETURN"));
  world.together = true;
}

void merge_in_place(Lane& lane, const char* frame) {
  if (!world.together) return;
  Quiet quiet(lane);
  Busy busy(lane, frame);
  try {
    std::optional<trace::Trace> mine;
    if (offer_all()) mine = own_trace();
    MpiChannel channel;
    auto whole = merge_up(std::move(mine), world.rank, world.size, patience_ms(), channel);
    if (world.rank != 0 || !whole) return;
    merge::finish(*whole);
    write_merged(*whole);
  } catch (const std::exception&) {
    return;  // no memory: the parts are there
  }
}

}  // namespace refrain::record
