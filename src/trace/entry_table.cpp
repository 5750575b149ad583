// See entry_table.hpp.
#include "trace/entry_table.hpp"

#include <algorithm>

namespace refrain::trace {
namespace {

constexpr uint64_t longest_table = 1 << 16;

bool all_equal(const std::vector<int64_t>& values) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; });
}

}  // namespace

std::optional<Column> one_table(const std::vector<Number>& entries) {
  uint64_t ranks = 0;
  for (const Number& n : entries)
    if (n.table()) ranks = n.table()->size();
  if (ranks < 2 || ranks > longest_table / entries.size()) return std::nullopt;
  std::vector<int64_t> all;
  for (const Number& n : entries) {
    if (n.is_constant()) {
      all.insert(all.end(), ranks, n.constant());
      continue;
    }
    if (!n.table() || n.table()->size() != ranks) return std::nullopt;
    std::vector<int64_t> values = n.table()->expand();
    if (all_equal(values)) return std::nullopt;
    all.insert(all.end(), values.begin(), values.end());
  }
  return Column::of(all);
}

std::optional<std::vector<Number>> entries_of(const Column& table, uint64_t entries) {
  if (entries == 0 || table.size() < 2 * entries || table.size() % entries != 0) return std::nullopt;
  std::vector<Number> out;
  Column::Cursor next(table);
  for (uint64_t i = 0; i < entries; ++i) {
    std::vector<int64_t> values(table.size() / entries);
    for (int64_t& v : values) v = next.next();
    out.push_back(all_equal(values) ? Number(values[0]) : Number(Column::of(values)));
  }
  return out;
}

}  // namespace refrain::trace
