// See compression.hpp.
#include "format/compression.hpp"

#include <zstd.h>

namespace refrain::format {

namespace {

constexpr int compression_level = 9;

std::vector<uint8_t> compress(std::span<const uint8_t> content) {
  std::vector<uint8_t> out(ZSTD_compressBound(content.size()));
  size_t n = ZSTD_compress(out.data(), out.size(), content.data(), content.size(), compression_level);
  out.resize(ZSTD_isError(n) ? 0 : n);
  return out;
}

bool decompress(std::span<const uint8_t> stored, std::span<uint8_t> content) {
  size_t n = ZSTD_decompress(content.data(), content.size(), stored.data(), stored.size());
  return !ZSTD_isError(n) && n == content.size();
}

}  // namespace

const Codec zstd_codec{compress, decompress};

}  // namespace refrain::format
