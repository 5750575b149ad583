// See table_file.hpp. All arithmetic wraps, so that any 64-bit number survives.
#include "generate/table_file.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/hash.hpp"

namespace refrain::generate {
namespace {

using trace::Column;
using trace::Item;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

constexpr size_t header_words = 5, directory_words = 2, block_words = 4;
constexpr uint64_t magic = 0x6c6261742d6e6672;  // "rfn-tabl"

/// Number i of a block is first + i*step + scale*r, r being number i of `rest`.
struct Coded {
  int64_t first = 0, step = 0;
  uint64_t scale = 1;
  unsigned width = 0;  ///< bits of a number of rest
  std::vector<uint64_t> rest{};
};

/// Divides by the common divisor of all numbers, and finds how many bits remain.
void shorten(Coded& c) {
  uint64_t common = 0;
  for (uint64_t r : c.rest) common = common == 1 ? 1 : std::gcd(common, r);
  c.scale = std::max<uint64_t>(common, 1);
  uint64_t all = 0;
  for (uint64_t& r : c.rest) all |= r /= c.scale;
  c.width = static_cast<unsigned>(std::bit_width(all));
}

/// Differences from a straight line.
Coded from_line(const std::vector<int64_t>& values, int64_t step) {
  auto turned = [&](size_t i) { return wrap_sub(values[i], wrap_mul(step, static_cast<int64_t>(i))); };
  Coded c{.first = turned(0), .step = step};
  for (size_t i = 0; i < values.size(); ++i) c.first = std::min(c.first, turned(i));
  for (size_t i = 0; i < values.size(); ++i)
    c.rest.push_back(static_cast<uint64_t>(wrap_sub(turned(i), c.first)));
  shorten(c);
  return c;
}

/// The shorter of two: a level line, and one from the first number to the last.
Coded coded(const std::vector<int64_t>& values) {
  Coded best = from_line(values, 0);
  auto n = static_cast<int64_t>(values.size());
  if (n < 2 || best.width == 0) return best;
  int64_t way = 0;
  if (!__builtin_sub_overflow(values.back(), values.front(), &way) && way / (n - 1) != 0)
    if (Coded line = from_line(values, way / (n - 1)); line.width < best.width) best = std::move(line);
  return best;
}

uint64_t hash_of(const std::vector<uint64_t>& words, uint64_t h) {
  for (uint64_t word : words) {
    h = (h ^ word) * 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  }
  return h;
}

void put_words(std::string& out, const std::vector<uint64_t>& words) {
  for (uint64_t word : words)
    for (int i = 0; i < 8; ++i) out += static_cast<char>(word >> (8 * i));
}

}  // namespace

void TableFile::put_block(Table& table, const std::vector<int64_t>& values) {
  Coded c = coded(values);
  uint64_t where = table.words.size() * 8;
  table.blocks.insert(table.blocks.end(), {static_cast<uint64_t>(c.first), static_cast<uint64_t>(c.step),
                                           c.scale, where << 8 | c.width});
  size_t begin = table.words.size();
  table.words.resize(begin + (c.rest.size() * c.width + 63) / 64);
  for (size_t i = 0; i < c.rest.size() && c.width > 0; ++i) {
    size_t word = begin + i * c.width / 64, shift = i * c.width % 64;
    table.words[word] |= c.rest[i] << shift;
    if (shift + c.width > 64) table.words[word + 1] |= c.rest[i] >> (64 - shift);
  }
}

size_t TableFile::add(Table table) {
  uint64_t hash = hash_of(table.words, hash_of(table.blocks, table.size));
  auto [first, last] = by_hash_.equal_range(hash);
  for (auto same = first; same != last; ++same)
    if (tables_[same->second] == table) return same->second;
  by_hash_.emplace(hash, tables_.size());
  tables_.push_back(std::move(table));
  return tables_.size() - 1;
}

size_t TableFile::numbers(const Column& column) {
  Table table{.size = column.size()};
  std::vector<int64_t> values;
  if (!column.empty())
    for (Column::Cursor at(column); !at.done();) {
      values.push_back(at.next());
      if (values.size() < block && !at.done()) continue;
      put_block(table, values);
      values.clear();
    }
  return add(std::move(table));
}

/// Five consecutive tables. They are new ones even if equal ones exist already.
size_t TableFile::items(const Column& column, const Column::Items& items, const std::vector<size_t>& bodies) {
  std::vector<int64_t> fields[5];
  uint64_t begin = 0;
  for (const Item& item : items) {
    if (item.count == 0) continue;
    uint64_t length = column.length(item);
    fields[0].push_back(static_cast<int64_t>(begin));
    fields[1].push_back(item.first);
    fields[2].push_back(item.stride);
    fields[3].push_back(static_cast<int64_t>(length / item.count));
    fields[4].push_back(item.body == 0 ? 0 : static_cast<int64_t>(bodies[item.body - 1]) + 1);
    begin += length;
  }
  fields[0].push_back(static_cast<int64_t>(begin));
  size_t number = tables_.size();
  for (const auto& field : fields) {
    Table table{.size = field.size()};
    for (size_t i = 0; i < field.size(); i += block)
      put_block(table, {field.begin() + static_cast<ptrdiff_t>(i),
                        field.begin() + static_cast<ptrdiff_t>(std::min(i + block, field.size()))});
    tables_.push_back(std::move(table));
  }
  return number;
}

size_t TableFile::runs(const Column& column) {
  std::vector<size_t> bodies;
  for (const auto& body : column.bodies()) bodies.push_back(items(column, body, bodies));
  return items(column, column.items(), bodies);
}

/// All that stands behind the header.
std::vector<uint64_t> TableFile::content() const {
  std::vector<uint64_t> out;
  uint64_t blocks = 8 * (header_words + directory_words * tables_.size()), words = blocks;
  for (const Table& table : tables_) words += 8 * table.blocks.size();
  for (const Table& table : tables_) {
    out.insert(out.end(), {table.size, blocks});
    blocks += 8 * table.blocks.size();
  }
  for (const Table& table : tables_) {
    for (size_t i = 0; i < table.blocks.size(); ++i) {
      bool place = i % block_words == block_words - 1;
      out.push_back(table.blocks[i] + (place ? words << 8 : 0));
    }
    words += 8 * table.words.size();
  }
  for (const Table& table : tables_) out.insert(out.end(), table.words.begin(), table.words.end());
  return out;
}

size_t TableFile::size() const {
  size_t words = header_words + directory_words * tables_.size();
  for (const Table& table : tables_) words += table.blocks.size() + table.words.size();
  return 8 * words;
}

TableFile::Written TableFile::written() const {
  std::vector<uint64_t> words = content();
  Written file{.checksum = hash_of(words, version)};
  file.bytes.reserve(size());
  put_words(file.bytes, {magic, version, size(), file.checksum, tables_.size()});
  put_words(file.bytes, words);
  return file;
}

}  // namespace refrain::generate
