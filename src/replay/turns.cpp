#include "replay/turns.hpp"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <utility>

#include "base/hash.hpp"
#include "replay/stage.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {
namespace {

constexpr int turn_patience_ms = 60'000;

int64_t place_of(const std::string& path) {
  uint64_t place = 0;
  for (char c : path) place = hash_combine(place, static_cast<unsigned char>(c));
  return static_cast<int64_t>(place >> 2);
}

}  // namespace

void Turns::take(const std::string& path, bool alone) {
  Quiet quiet;
  int64_t place = place_of(path);
  int fd = refrain_wall_out_of_reach(::open(locks_file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (fd < 0) return;
  struct flock lock {};
  lock.l_type = alone ? F_WRLCK : F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = place;
  lock.l_len = 1;
  timespec nap{0, 1'000'000};
  for (int ms = 0; fcntl(fd, F_OFD_SETLK, &lock) != 0 && ms < turn_patience_ms; ++ms)
    nanosleep(&nap, nullptr);
  taken_ = {fd, place};
}

void Turns::await_end(const std::string& path) {
  int64_t place = place_of(path);
  for (const auto& [file, turn] : held_)
    if (turn.place == place) return;
  take(path, false);
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
  ::close(found->second.lock);
  held_.erase(found);
}

void Turns::remove() const {
  Quiet quiet;
  ::unlink(locks_file_.c_str());
}

}  // namespace refrain::replay
