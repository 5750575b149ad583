// Slots and handle tables; see handles.hpp.
#include "record/recorded_handles.hpp"

#include <bit>

#include "part/raw.hpp"

namespace refrain::record {

uint32_t SlotPool::take_from(uint32_t first, Others others) {
  for (uint32_t w = first / 64; w < words; ++w) {
    uint64_t used = used_[w].load(std::memory_order_relaxed);
    while (~used != 0) {
      int bit = std::countr_one(used);
      if (others == Others::none) {
        used_[w].store(used | uint64_t{1} << bit, std::memory_order_relaxed);
        return w * 64 + static_cast<uint32_t>(bit);
      }
      if (used_[w].compare_exchange_weak(used, used | uint64_t{1} << bit, std::memory_order_relaxed))
        return w * 64 + static_cast<uint32_t>(bit);
    }
  }
  return beyond_.fetch_add(1, std::memory_order_relaxed);
}

void SlotPool::claim(uint32_t slot) {
  if (slot < words * 64) used_[slot / 64].fetch_or(uint64_t{1} << slot % 64, std::memory_order_relaxed);
}

void SlotPool::clear() {
  for (auto& word : used_) word.store(0, std::memory_order_relaxed);
  beyond_.store(words * 64, std::memory_order_relaxed);
}

std::atomic<uint64_t>* DescriptorTable::cell(int fd, bool make) {
  if (fd < 0 || fd >= limit) return nullptr;
  if (static_cast<unsigned>(fd) < page_size) return &first_[fd];
  auto& slot = pages_[fd >> page_bits];
  Page* page = slot.load(std::memory_order_acquire);
  if (page == nullptr && make) {
    auto* fresh = static_cast<Page*>(raw::map_memory(sizeof(Page)));
    if (fresh == nullptr) return nullptr;
    if (slot.compare_exchange_strong(page, fresh, std::memory_order_acq_rel))
      page = fresh;
    else
      raw::unmap(fresh, sizeof(Page));
  }
  return page == nullptr ? nullptr : &(*page)[fd & ((1 << page_bits) - 1)];
}

Handle DescriptorTable::get_far(int fd) const {
  auto* c = const_cast<DescriptorTable*>(this)->cell(fd, false);
  return c == nullptr ? Handle() : Handle::unpack(c->load(std::memory_order_relaxed));
}

void DescriptorTable::set(int fd, Handle handle) {
  if (auto* c = cell(fd, true)) c->store(handle.pack(), std::memory_order_relaxed);
}

Handle DescriptorTable::exchange_far(int fd, Handle handle) {
  auto* c = cell(fd, handle.state() != Handle::State::unknown);
  return c == nullptr ? Handle() : Handle::unpack(c->exchange(handle.pack(), std::memory_order_relaxed));
}

void DescriptorTable::clear() {
  for (auto& word : first_) word.store(0, std::memory_order_relaxed);
  for (auto& slot : pages_)
    if (Page* page = slot.load(std::memory_order_relaxed))
      for (auto& word : *page) word.store(0, std::memory_order_relaxed);
}

AddressTable::Cell* AddressTable::Bucket::find(uint64_t key) {
  for (Cell& cell : cells)
    if (cell.key.load(std::memory_order_relaxed) == key) return &cell;
  return nullptr;
}

bool AddressTable::Bucket::add(uint64_t key, Handle handle) {
  for (Cell& cell : cells) {
    uint64_t free = 0;
    if (!cell.key.compare_exchange_strong(free, key, std::memory_order_acq_rel)) continue;
    cell.fact.store(0, std::memory_order_relaxed);
    cell.value.store(handle.pack(), std::memory_order_release);
    return true;
  }
  overflowed.store(1, std::memory_order_release);
  return false;
}

void AddressTable::Bucket::clear() {
  bool used = overflowed.load(std::memory_order_relaxed) != 0;
  for (Cell& cell : cells) used |= cell.key.load(std::memory_order_relaxed) != 0;
  if (!used) return;  // pages never touched stay so
  for (Cell& cell : cells) {
    cell.key.store(0, std::memory_order_relaxed);
    cell.value.store(0, std::memory_order_relaxed);
    cell.fact.store(0, std::memory_order_relaxed);
  }
  overflowed.store(0, std::memory_order_relaxed);
}

AddressTable::Bucket* AddressTable::far_table() {
  Bucket* far = far_.load(std::memory_order_acquire);
  if (far != nullptr) return far;
  constexpr size_t bytes = far_buckets * sizeof(Bucket);
  auto* fresh = static_cast<Bucket*>(raw::map_memory(bytes));
  if (fresh == nullptr) return nullptr;
  if (far_.compare_exchange_strong(far, fresh, std::memory_order_acq_rel)) return fresh;
  raw::unmap(fresh, bytes);
  return far;
}

AddressTable::Cell* AddressTable::find(uint64_t key) const {
  Bucket& near = near_[start(key, near_bits)];
  if (Cell* cell = near.find(key)) return cell;
  Bucket* far = far_.load(std::memory_order_acquire);
  if (near.overflowed.load(std::memory_order_acquire) == 0 || far == nullptr) return nullptr;
  size_t at = start(key, far_bits);
  for (size_t n = 0; n < far_buckets; ++n, at = (at + 1) & (far_buckets - 1)) {
    if (Cell* cell = far[at].find(key)) return cell;
    if (far[at].overflowed.load(std::memory_order_acquire) == 0) break;
  }
  return nullptr;
}

AddressTable::Place AddressTable::look_further(uint64_t key) const {
  if (key == 0) return {};
  std::atomic<Cell*>& recent = recent_[start(key, recent_bits)];
  Cell* cell = recent.load(std::memory_order_relaxed);
  if (cell == nullptr || cell->key.load(std::memory_order_relaxed) != key) {
    cell = find(key);
    if (cell == nullptr) return {};
    recent.store(cell, std::memory_order_relaxed);
  }
  return {Handle::unpack(cell->value.load(std::memory_order_relaxed)), &cell->fact};
}

Handle AddressTable::get(uint64_t key) const { return look(key).handle; }

bool AddressTable::set(uint64_t key, Handle handle) {
  if (key == 0) return false;
  if (Cell* cell = find(key)) {
    cell->value.store(handle.pack(), std::memory_order_release);
    return true;
  }
  if (near_[start(key, near_bits)].add(key, handle)) return true;
  Bucket* far = far_table();
  size_t at = start(key, far_bits);
  for (size_t n = 0; far != nullptr && n < far_buckets; ++n, at = (at + 1) & (far_buckets - 1))
    if (far[at].add(key, handle)) return true;
  return false;
}

Handle AddressTable::take(uint64_t key) {
  Cell* cell = key == 0 ? nullptr : find(key);
  if (cell == nullptr) return Handle();
  Handle handle = Handle::unpack(cell->value.exchange(0, std::memory_order_relaxed));
  cell->key.store(0, std::memory_order_release);
  return handle;
}

void AddressTable::clear() {
  for (auto& cell : recent_) cell.store(nullptr, std::memory_order_relaxed);
  for (Bucket& bucket : near_) bucket.clear();
  if (Bucket* far = far_.exchange(nullptr, std::memory_order_relaxed))
    raw::unmap(far, far_buckets * sizeof(Bucket));
}

bool MapTable::add(const void* address, size_t length, Handle handle) {
  for (size_t i = 0; i < size; ++i) {
    uint64_t none = 0;
    if (!cells_[i].start.compare_exchange_strong(none, reinterpret_cast<uint64_t>(address),
                                                 std::memory_order_acq_rel))
      continue;
    cells_[i].handle.store(handle.pack(), std::memory_order_relaxed);
    cells_[i].length.store(length, std::memory_order_release);
    size_t used = used_.load(std::memory_order_relaxed);
    while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
    }
    return true;
  }
  return false;
}

MapTable::Place MapTable::find(const void* address) const {
  auto at = reinterpret_cast<uint64_t>(address);
  for (size_t i = 0, used = used_.load(std::memory_order_relaxed); i < used; ++i) {
    uint64_t first = cells_[i].start.load(std::memory_order_acquire);
    if (first != 0 && first <= at && at - first < cells_[i].length.load(std::memory_order_relaxed))
      return {Handle::unpack(cells_[i].handle.load(std::memory_order_relaxed)), at - first};
  }
  return {};
}

Handle MapTable::remove(const void* address, size_t length) {
  auto at = reinterpret_cast<uint64_t>(address);
  for (size_t i = 0, used = used_.load(std::memory_order_relaxed); i < used; ++i) {
    uint64_t first = cells_[i].start.load(std::memory_order_acquire);
    if (first == 0 || first < at || first - at >= length) continue;
    Handle handle = Handle::unpack(cells_[i].handle.load(std::memory_order_relaxed));
    cells_[i].length.store(0, std::memory_order_relaxed);
    cells_[i].start.store(0, std::memory_order_release);
    return handle;
  }
  return Handle();
}

void MapTable::clear() {
  for (auto& cell : cells_) {
    cell.length.store(0, std::memory_order_relaxed);
    cell.start.store(0, std::memory_order_relaxed);
  }
  used_.store(0, std::memory_order_relaxed);
}

}  // namespace refrain::record
