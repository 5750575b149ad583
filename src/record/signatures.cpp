// Signature numbers; see signatures.hpp.
#include "record/signatures.hpp"

#include <algorithm>

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
  size_t at = pool_.empty() ? 0 : pool_.size() - max_words;
  pool_.resize(at + count + max_words);
  std::copy_n(words, count, pool_.begin() + static_cast<ptrdiff_t>(at));
  base_ = pool_.data();
  place({hash_of(words, count), static_cast<uint32_t>(at), count, signature});
  ++size_;
}

}  // namespace refrain::record
