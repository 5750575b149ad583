#include "record/known_memory.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace refrain::record {
namespace {

uint64_t content_hash(std::span<const char> bytes) {
  uint64_t h = bytes.size();
  for (char c : bytes) h = hash_combine(h, static_cast<unsigned char>(c));
  return h;
}

}  // namespace

KnownMemory::Number KnownMemory::find(std::span<const char> bytes) const {
  uint64_t hash = content_hash(bytes);
  for (uint32_t i = 0; i < hashes_.size(); ++i)
    if (hashes_[i] == hash && std::equal(bytes.begin(), bytes.end(), pieces_[i].begin(), pieces_[i].end()))
      return i;
  return {};
}

KnownMemory::Number KnownMemory::find_at(const char* place) const {
  for (uint32_t i = 0; i < pieces_.size(); ++i) {
    size_t k = 0, size = pieces_[i].size();
    while (k < size && place[k] == pieces_[i][k]) ++k;
    if (size > 0 && k == size) return i;
  }
  return {};
}

void KnownMemory::forget(uint32_t number) {
  bytes_ -= pieces_[number].size();
  pieces_[number] = {};
  hashes_[number] = 0;
}

KnownMemory::Number KnownMemory::put(std::span<const char> bytes) {
  if (bytes.empty() || bytes.size() > piece_bytes) return {};
  if (Number known = find(bytes)) return known;
  uint32_t number = next_;
  next_ = (next_ + 1) % limit;
  if (number == pieces_.size()) {
    pieces_.emplace_back();
    hashes_.push_back(0);
  }
  forget(number);
  for (uint32_t old = next_; bytes_ + bytes.size() > limit_bytes; old = (old + 1) % limit)
    if (old < pieces_.size()) forget(old);
  pieces_[number].assign(bytes.begin(), bytes.end());
  hashes_[number] = content_hash(bytes);
  bytes_ += bytes.size();
  return number;
}

}  // namespace refrain::record
