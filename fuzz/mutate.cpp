// The mutator of all fuzzers that take traces: mostly changes the content of one section and sets its length
// right, so that the others stay readable. Checksums are made when an input becomes a file.
#include <algorithm>

#include "sections.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  using namespace refrain;
  std::span<const uint8_t> input(data, size);
  std::vector<fuzz::Piece> pieces;
  if (seed % 8 != 0 && !fuzz::is_file(input)) pieces = fuzz::pieces_of(input);
  if (pieces.empty()) return LLVMFuzzerMutate(data, size, max_size);
  std::vector<uint8_t>& content = pieces[seed / 8 % pieces.size()].content;
  size_t used = content.size();
  content.resize(used + 64);
  content.resize(LLVMFuzzerMutate(content.data(), used, content.size()));
  std::vector<uint8_t> changed = fuzz::joined(pieces);
  if (changed.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}
