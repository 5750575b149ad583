#include "replay/handles.hpp"

#include <fmt/format.h>

#include <chrono>

#include "replay/trouble.hpp"

namespace refrain::replay {

Handles::Shelf& Handles::shelf(std::string_view handle_class, uint32_t thread) {
  std::lock_guard lock(mutex_);
  auto [at, added] = shelves_.try_emplace({std::string(handle_class), thread});
  if (added) at->second = {std::string(handle_class), thread};
  return at->second;
}

void Handles::put(Shelf& shelf, int64_t slot, uint64_t word) {
  if (slot < 0 || slot >= max_slot) throw Trouble{"a handle with an impossible number"};
  std::lock_guard lock(mutex_);
  auto at = static_cast<size_t>(slot);
  if (at >= shelf.words.size()) {
    shelf.words.resize(at + 1);
    shelf.made.resize(at + 1);
    shelf.live.resize(at + 1);
  }
  shelf.words[at] = word;
  shelf.made[at] = shelf.live[at] = true;
  changed_.notify_all();
}

uint64_t Handles::get(const Shelf& shelf, int64_t slot, If condition) {
  auto at = static_cast<size_t>(slot);
  std::unique_lock lock(mutex_);
  auto there = [&](const std::vector<bool>& which) { return slot >= 0 && at < which.size() && which[at]; };
  if (!there(shelf.live) && condition == If::awaited)
    changed_.wait_for(lock, std::chrono::seconds(patience_seconds), [&] { return there(shelf.live); });
  if (!there(condition == If::ever_made ? shelf.made : shelf.live))
    throw Trouble{fmt::format("uses {}{}, which nothing has made", shelf.name, slot)};
  return shelf.words[at];
}

void Handles::drop(Shelf& shelf, int64_t slot) {
  std::lock_guard lock(mutex_);
  auto at = static_cast<size_t>(slot);
  if (slot >= 0 && at < shelf.live.size()) shelf.live[at] = false;
}

}  // namespace refrain::replay
