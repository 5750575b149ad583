#include "record/mpi_addresses.hpp"

#include <functional>
#include <numeric>

namespace refrain::record {
namespace {

/// What an allocator takes at least; and what is left here. Nothing is rounded, so that places are as regular
/// as sizes.
constexpr int64_t least_between = 8, left_between = 64;

}  // namespace

std::vector<int64_t> lay_out(const std::vector<MemoryBlock>& blocks) {
  std::vector<size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return blocks[a].start < blocks[b].start; });
  struct Piece {
    int64_t start, end, place;
  };
  std::vector<Piece> pieces;
  std::vector<size_t> piece_of(blocks.size());
  for (size_t k : order) {
    const MemoryBlock& block = blocks[k];
    if (pieces.empty() || block.start >= pieces.back().end + least_between)
      pieces.push_back({block.start, block.start, -1});
    pieces.back().end = std::max(pieces.back().end, block.start + block.bytes);
    piece_of[k] = pieces.size() - 1;
  }
  std::vector<int64_t> places(blocks.size());
  int64_t next = 0;
  for (size_t k = 0; k < blocks.size(); ++k) {
    Piece& piece = pieces[piece_of[k]];
    if (piece.place < 0) {
      piece.place = next;
      next += piece.end - piece.start + left_between;
    }
    places[k] = piece.place + blocks[k].start - piece.start;
  }
  return places;
}

std::vector<int64_t> run_starts(std::vector<MemoryBlock> blocks) {
  std::sort(blocks.begin(), blocks.end(),
            [](const MemoryBlock& a, const MemoryBlock& b) { return a.start < b.start; });
  std::vector<int64_t> starts;
  int64_t end = 0;
  for (const MemoryBlock& block : blocks) {
    if (block.bytes <= 0) continue;
    bool fresh = starts.empty() || block.start > end;
    if (fresh) starts.push_back(block.start);
    end = fresh ? block.start + block.bytes : std::max(end, block.start + block.bytes);
  }
  return starts;
}

void AskedAddresses::add(int64_t address) {
  if (addresses_.size() >= most) sort();
  if (addresses_.size() >= most) addresses_.clear(), sorted_ = 0;
  addresses_.push_back(address);
}

void AskedAddresses::sort() {
  if (sorted_ == addresses_.size()) return;
  std::sort(addresses_.begin(), addresses_.end());
  addresses_.erase(std::unique(addresses_.begin(), addresses_.end()), addresses_.end());
  sorted_ = addresses_.size();
}

bool AskedAddresses::explain(const std::vector<int64_t>& distances) {
  bool differ =
      std::adjacent_find(distances.begin(), distances.end(), std::not_equal_to<>()) != distances.end();
  if (addresses_.size() < 2 || !differ) return false;
  sort();
  int64_t patience = int64_t{1} << 22;
  for (int64_t first : addresses_) {
    int64_t base = first - distances[0];
    bool all = std::all_of(distances.begin() + 1, distances.end(), [&](int64_t distance) {
      return --patience > 0 && std::binary_search(addresses_.begin(), addresses_.end(), base + distance);
    });
    if (all) return true;
  }
  return false;
}

}  // namespace refrain::record
