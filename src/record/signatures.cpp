// Signature numbers; see signatures.hpp.
#include "record/signatures.hpp"

namespace refrain::record {

void SignatureTable::place(const Cell& cell) {
  size_t i = cell.hash & (cells_.size() - 1);
  while (cells_[i].count != 0) i = (i + 1) & (cells_.size() - 1);
  cells_[i] = cell;
}

void SignatureTable::insert(const uint64_t* words, uint32_t count, uint32_t signature) {
  if (2 * (size_ + 1) > cells_.size()) {
    std::vector<Cell> old(cells_.empty() ? 128 : 2 * cells_.size());
    old.swap(cells_);
    for (const Cell& c : old)
      if (c.count != 0) place(c);
  }
  place({hash_of(words, count), static_cast<uint32_t>(pool_.size()), count, signature});
  pool_.insert(pool_.end(), words, words + count);
  ++size_;
}

}  // namespace refrain::record
