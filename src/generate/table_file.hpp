// Tables that are too long for the text of a kernel: a binary file beside the program, which maps it. Its
// form is in docs/kernel-tables.md; runtime/inputs.h is what reads it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "trace/column.hpp"

namespace refrain::generate {

class TableFile {
 public:
  static constexpr uint32_t version = 1;
  static constexpr size_t block = 128;  ///< numbers that are coded together

  /// Adds a table with all values of the column and returns its number. Equal tables are stored once.
  size_t numbers(const trace::Column& column);
  /// Adds five tables that hold the runs of the column and returns the number of the first one. They hold
  /// where each run begins and the last one ends, first numbers, strides, lengths of bodies, and one more
  /// than the number of the body's tables.
  size_t runs(const trace::Column& column);

  bool empty() const { return tables_.empty(); }
  struct Written {
    uint64_t checksum = 0;
    std::string bytes{};
  };
  /// The content of the file. A kernel knows the length and checksum of its own file.
  Written written() const;

 private:
  struct Table {
    uint64_t size = 0;
    std::vector<uint64_t> blocks{};  ///< four words each, the last counted from the table's own words
    std::vector<uint64_t> words{};
    bool operator==(const Table&) const = default;
  };
  size_t add(Table table);
  size_t items(const trace::Column& column, const trace::Column::Items& items,
               const std::vector<size_t>& bodies);
  static void put_block(Table& table, const std::vector<int64_t>& values);
  size_t size() const;
  std::vector<uint64_t> content() const;

  std::vector<Table> tables_;
  std::multimap<uint64_t, size_t> by_hash_;
};

}  // namespace refrain::generate
