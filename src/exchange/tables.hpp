// A trace as tables: calls, files, ranks, phases, and what is known of the run. Written row by row to
// whatever holds tables (CSV files, SQL statements): memory is that of the list of files.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "exchange/formats.hpp"

namespace refrain::exchange {

struct Column {
  std::string_view name;
  bool is_number;
};

/// Nothing, a number, or text.
using Cell = std::variant<std::monostate, int64_t, std::string_view>;

class TableWriter {
 public:
  virtual ~TableWriter() = default;
  /// Begins a table; the one before is complete.
  virtual Result<void> table(std::string_view name, std::span<const Column> columns) = 0;
  virtual void row(std::span<const Cell> cells) = 0;
};

Result<Exported> write_tables(const trace::Trace& trace, const ExportOptions& options, TableWriter& out);

/// The columns of the table of calls, which import reads again.
std::span<const Column> call_columns();

}  // namespace refrain::exchange
