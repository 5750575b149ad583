#include "replay/replayed_handles.hpp"

#include <fmt/format.h>

#include <chrono>

#include "replay/replay_error.hpp"

namespace refrain::replay {

Handles::Shelf& Handles::shelf(std::string_view handle_class, uint32_t thread) {
  std::lock_guard lock(mutex_);
  return shelves_.try_emplace({std::string(handle_class), thread}, handle_class, thread).first->second;
}

void Handles::Shelf::put(int64_t slot, uint64_t word) {
  if (slot < 0 || slot >= max_slot) throw ReplayError{"a handle with an impossible number"};
  auto at = static_cast<size_t>(slot);
  std::lock_guard lock(mutex_);
  if (at >= entries_.size()) entries_.resize(at + 1);
  entries_[at] = {word, true, true};
  changed_.notify_all();
}

uint64_t Handles::Shelf::get(int64_t slot, If condition) {
  auto at = static_cast<size_t>(slot);
  auto is_there = [&] {
    return at < entries_.size() && (condition == If::ever_made ? entries_[at].made : entries_[at].live);
  };
  std::unique_lock lock(mutex_);
  if (!is_there() && condition == If::awaited)
    changed_.wait_for(lock, std::chrono::seconds(patience_seconds), is_there);
  if (!is_there()) throw ReplayError{fmt::format("uses {}{}, which nothing has made", name_, slot)};
  return entries_[at].word;
}

void Handles::Shelf::drop(int64_t slot) {
  auto at = static_cast<size_t>(slot);
  std::lock_guard lock(mutex_);
  if (at < entries_.size()) entries_[at].live = false;
}

}  // namespace refrain::replay
