// What is written is read again as docs/kernel-tables.md says it is.
#include "generate/table_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace refrain::generate {
namespace {

using trace::Column;

class Reader {
 public:
  explicit Reader(const TableFile& file) : bytes_(file.written().bytes) {}

  uint64_t word(uint64_t at) const {
    uint64_t word = 0;
    EXPECT_LE(at + 8, bytes_.size());
    if (at + 8 <= bytes_.size()) std::memcpy(&word, bytes_.data() + at, 8);
    return word;
  }
  uint64_t size(size_t table) const { return word(40 + 16 * table); }
  int64_t at(size_t table, uint64_t i) const {
    uint64_t block = word(48 + 16 * table) + i / 128 * 32, where = word(block + 24);
    uint64_t rest = 0;
    for (uint64_t b = 0, width = where & 255; b < width; ++b) {
      uint64_t bit = i % 128 * width + b;
      rest |= (word((where >> 8) + bit / 64 * 8) >> bit % 64 & 1) << b;
    }
    return static_cast<int64_t>(word(block) + i % 128 * word(block + 8) + rest * word(block + 16));
  }
  std::vector<int64_t> all(size_t table) const {
    std::vector<int64_t> values;
    for (uint64_t i = 0; i < size(table); ++i) values.push_back(at(table, i));
    return values;
  }
  size_t length() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

std::vector<std::vector<int64_t>> samples() {
  std::mt19937_64 any(7);
  std::vector<std::vector<int64_t>> out{{}, {5}, {INT64_MIN, INT64_MAX}, {INT64_MAX, INT64_MIN, -1, 0, 1}};
  for (unsigned width : {0U, 1U, 3U, 31U, 33U, 63U, 64U})
    for (size_t length : {1U, 127U, 128U, 129U, 1000U}) {
      std::vector<int64_t> level, sloped;
      for (size_t i = 0; i < length; ++i) {
        uint64_t random = width == 0 ? 0 : any() >> (64 - width);
        level.push_back(static_cast<int64_t>(random));
        sloped.push_back(static_cast<int64_t>(random * 8 + i * 1000003 - 77));
      }
      out.push_back(level);
      out.push_back(sloped);
    }
  return out;
}

TEST(TableFile, KeepsNumbersOfAnySize) {
  TableFile file;
  std::vector<size_t> numbers;
  for (const auto& values : samples()) numbers.push_back(file.numbers(Column::of(values)));
  Reader reader(file);
  size_t k = 0;
  for (const auto& values : samples()) EXPECT_EQ(reader.all(numbers[k++]), values);
  EXPECT_EQ(reader.word(16), reader.length());
}

TEST(TableFile, KeepsEqualTablesOnce) {
  TableFile file;
  std::vector<int64_t> values{1, 5, 2, 8, 1};
  Column repeated({{0, 0, 1, 1}}, {Column::of(values).items()});
  EXPECT_EQ(file.numbers(Column::of(values)), 0U);
  EXPECT_EQ(file.numbers(repeated), 0U);
  EXPECT_EQ(file.numbers(Column::of({1, 5, 2})), 1U);
}

TEST(TableFile, TakesTheBitsThatNumbersNeed) {
  std::mt19937_64 any(7);
  std::vector<int64_t> values;
  for (size_t i = 0; i < 128000; ++i) values.push_back(static_cast<int64_t>(any() % 256 * 4096));
  TableFile file;
  file.numbers(Column::of(values));
  EXPECT_LE(Reader(file).length(), 128000 + 1000 * 32 + 100);
}

TEST(TableFile, KeepsRunsAsTables) {
  TableFile file;
  Column column({{10, 2, 3, 0}, {100, 1000, 4, 1}}, {{{0, 5, 2, 0}, {7, 0, 1, 0}}});
  size_t runs = file.runs(column);
  Reader reader(file);
  EXPECT_EQ(runs, 5U);
  EXPECT_EQ(reader.all(runs), (std::vector<int64_t>{0, 3, 15}));
  EXPECT_EQ(reader.all(runs + 1), (std::vector<int64_t>{10, 100}));
  EXPECT_EQ(reader.all(runs + 2), (std::vector<int64_t>{2, 1000}));
  EXPECT_EQ(reader.all(runs + 3), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(reader.all(runs + 4), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(reader.all(0), (std::vector<int64_t>{0, 2, 3}));
}

}  // namespace
}  // namespace refrain::generate
