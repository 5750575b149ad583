// An archive begins with a mark of eight bytes and the header of its first member, the index: how many
// symbols there are (four bytes, the highest first), as many places of four bytes, and the names, each with a
// zero behind it. See archive_symbols.hpp.
#include "cli/archive_symbols.hpp"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace refrain::cli {
namespace {

constexpr size_t mark_bytes = 8, header_bytes = 60, size_at = 48, size_digits = 10;

}  // namespace

Result<std::vector<std::string>> archive_symbols(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::bad_input, "can't be read", path);
  char head[mark_bytes + header_bytes] = {};
  file.read(head, sizeof head);
  std::string_view mark(head, mark_bytes), header(head + mark_bytes, header_bytes);
  if (!file || (mark != "!<arch>\n" && mark != "!<thin>\n"))
    return fail(ErrorKind::bad_input, "is not a static library", path);
  uint64_t size = 0;
  std::from_chars(header.data() + size_at, header.data() + size_at + size_digits, size);
  constexpr uint64_t most = uint64_t{1} << 28;
  if (!header.starts_with("/ ") || size < 4 || size > most)
    return fail(ErrorKind::bad_input, "has no index of symbols; 'ranlib' makes one", path);
  std::string index(size, 0);
  file.read(index.data(), static_cast<std::streamsize>(size));
  if (!file) return fail(ErrorKind::bad_input, "ends within its index of symbols", path);
  uint64_t count = 0;
  for (size_t i = 0; i < 4; ++i) count = count << 8 | static_cast<unsigned char>(index[i]);
  if (count > (size - 4) / 4) return fail(ErrorKind::bad_input, "has a damaged index of symbols", path);
  std::vector<std::string> names;
  for (size_t at = 4 + 4 * count; names.size() < count && at < size; at += names.back().size() + 1)
    names.emplace_back(index.c_str() + at);
  return names;
}

}  // namespace refrain::cli
