// SQL statements that make a database of the tables: `sqlite3 app.db < app.sql`. Text rather than a database,
// so that Refrain needs no library for it and a pipe takes it; other databases read it, too, after the first
// line.
#include <array>

#include "base/output_file.hpp"
#include "exchange/exporters.hpp"
#include "exchange/tables.hpp"

namespace refrain::exchange {

namespace {

class SqlWriter final : public TableWriter {
 public:
  explicit SqlWriter(OutputFile& file) : file_(file) {}

  Result<void> table(std::string_view name, std::span<const Column> columns) override {
    end_statement();
    table_ = name;
    std::string text = "CREATE TABLE " + table_ + " (";
    bool first = true;
    for (const Column& column : columns) {
      if (!first) text += ", ";
      first = false;
      (text += '"') += column.name;
      text += column.is_number ? "\" INTEGER" : "\" TEXT";
    }
    file_.write(text + ");\n");
    return {};
  }

  void row(std::span<const Cell> cells) override {
    std::string text = rows_ == 0 ? "INSERT INTO " + table_ + " VALUES\n(" : ",\n(";
    bool first = true;
    for (const Cell& cell : cells) {
      if (!first) text += ',';
      first = false;
      append(text, cell);
    }
    file_.write(text + ")");
    if (++rows_ == rows_per_statement) end_statement();
  }

  void end_statement() {
    if (rows_ > 0) file_.write(";\n");
    rows_ = 0;
  }

 private:
  static constexpr size_t rows_per_statement = 250;

  static void append(std::string& text, const Cell& cell) {
    if (std::holds_alternative<std::monostate>(cell)) text += "NULL";
    if (const auto* number = std::get_if<int64_t>(&cell)) text += std::to_string(*number);
    const auto* string = std::get_if<std::string_view>(&cell);
    if (string == nullptr) return;
    // A zero byte would end the statement, whatever quotes stand around it.
    if (string->find('\0') != string->npos) return hexadecimal(text, *string);
    text += '\'';
    for (char c : *string) text.append(c == '\'' ? 2 : 1, c);
    text += '\'';
  }

  static void hexadecimal(std::string& text, std::string_view bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    text += "CAST(x'";
    for (char c : bytes) {
      auto byte = static_cast<unsigned char>(c);
      text += {digits[byte >> 4U], digits[byte & 15U]};
    }
    text += "' AS TEXT)";
  }

  OutputFile& file_;
  std::string table_;
  size_t rows_ = 0;
};

}  // namespace

Result<Exported> export_sqlite(const trace::Trace& trace, const ExportOptions& options,
                               const std::filesystem::path& to) {
  OutputFile file;
  if (Result<void> opened = file.open_or_stdout(to); !opened) return tl::unexpected(opened.error());
  file.write("PRAGMA synchronous = OFF;\nBEGIN;\n");
  SqlWriter writer(file);
  Result<Exported> exported = write_tables(trace, options, writer);
  if (!exported) return exported;
  writer.end_statement();
  file.write("CREATE INDEX calls_by_file ON calls (file);\nCOMMIT;\n");
  if (Result<void> done = file.close(); !done) return tl::unexpected(done.error());
  return exported;
}

}  // namespace refrain::exchange
