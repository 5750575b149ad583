#include "replay/turns.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <array>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "base/launcher.hpp"
#include "replay/thread_context.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {
namespace {

constexpr uint64_t turn_patience_ns = 60'000'000'000;

/// Counts the noted ends of turns with the file of a place; a note consists of the place.
struct Count {
  int64_t ended = 0;
  off_t at = 0;
  /// False if there is no further note.
  bool go_on(int notes, int64_t place) {
    std::array<int64_t, 512> places{};
    ssize_t got = pread(notes, places.data(), sizeof places, at) / static_cast<ssize_t>(sizeof(int64_t));
    for (ssize_t i = 0; i < got; ++i) ended += places[static_cast<size_t>(i)] == place;
    if (got > 0) at += got * static_cast<ssize_t>(sizeof(int64_t));
    return got > 0;
  }
};

}  // namespace

Turns::Turns(const std::string& folder, const plan::TurnPlaces& places, uint32_t rank)
    : notes_file_(fmt::format("{}/.refrain_turns.{}", folder, job_name().text)),
      places_(places),
      rank_(rank) {}

int64_t Turns::place_of(const std::string& path) const {
  uint64_t place = round_;
  for (char c : path) place = hash_combine(place, static_cast<unsigned char>(c));
  return static_cast<int64_t>(place >> 2);
}

int64_t Turns::before(const plan::TurnCall& call) {
  auto found = places_.of.find(call);
  if (found == places_.of.end()) return 0;
  return found->second.first.at(rank_) + found->second.step.at(rank_) * made_[call]++;
}

void Turns::wait(const std::string& path, bool alone, int64_t after) {
  Quiet quiet;
  int64_t place = place_of(path);
  int fd =
      refrain_wall_out_of_reach(::open(notes_file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (fd < 0) return;
  struct flock lock {};
  lock.l_type = alone ? F_WRLCK : F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = place;
  lock.l_len = 1;
  timespec nap{0, 500'000};
  Count count;
  for (uint64_t end = monotonic_ns() + turn_patience_ns; monotonic_ns() < end;) {
    if (count.go_on(fd, place)) {
      end = monotonic_ns() + turn_patience_ns;  // others get on
      continue;
    }
    if ((count.ended >= after || order_lost_) && fcntl(fd, F_OFD_SETLK, &lock) == 0) break;
    nanosleep(&nap, nullptr);
  }
  if (count.ended < after && !std::exchange(order_lost_, true))
    complaint_ = fmt::format("waited in vain for its turn with {}; the order may be another now", path);
  taken_ = {fd, place};
}

void Turns::take(const plan::TurnCall& call, const std::string& path, bool alone) {
  wait(path, alone, before(call));
}

void Turns::await_end(const std::string& path) {
  int64_t place = place_of(path);
  for (const auto& [file, turn] : held_)
    if (turn.place == place) return;
  wait(path, false, 0);
  Quiet quiet;
  if (taken_.lock >= 0) ::close(std::exchange(taken_, {}).lock);
}

void Turns::hold(uint64_t file) {
  if (taken_.lock >= 0) held_[file] = std::exchange(taken_, {});
}

void Turns::end(uint64_t file) {
  auto found = held_.find(file);
  if (found == held_.end()) return;
  Quiet quiet;
  const Turn& turn = found->second;
  if (::write(turn.lock, &turn.place, sizeof turn.place) != sizeof turn.place)
    complaint_ = "can't note that a turn with a file has ended";
  ::close(turn.lock);
  held_.erase(found);
}

void Turns::begin_round() {
  ++round_;
  made_.clear();
}

void Turns::remove() const {
  Quiet quiet;
  ::unlink(notes_file_.c_str());
}

}  // namespace refrain::replay
