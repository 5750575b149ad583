// Inputs of the trace fuzzer. A mutated file would hardly ever pass its checksums, so besides whole files
// the fuzzer takes bare contents of sections: a byte that names the section, its length, its content, and
// so on. Those get valid frames before they are read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::fuzz {

/// One section of an input.
struct Piece {
  uint8_t tag;
  std::vector<uint8_t> content;
};

/// Takes an input apart; never fails, whatever the bytes.
std::vector<Piece> pieces_of(std::span<const uint8_t> input);
std::vector<uint8_t> joined(const std::vector<Piece>& pieces);
bool is_file(std::span<const uint8_t> input);

/// A file from an input: the input itself if it starts like a file, else its sections in valid frames.
std::vector<uint8_t> as_file(std::span<const uint8_t> input);

/// The input that as_file turns into `file` again (but for compression). Requires a valid file.
std::vector<uint8_t> as_input(std::span<const uint8_t> file);

}  // namespace refrain::fuzz
