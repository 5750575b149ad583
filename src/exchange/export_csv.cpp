// A folder of CSV files (RFC 4180), one per table: trace.csv, calls.csv, files.csv, ranks.csv, phases.csv.
#include <memory>

#include "base/output_file.hpp"
#include "exchange/exporters.hpp"
#include "exchange/tables.hpp"

namespace refrain::exchange {

namespace {

class CsvWriter final : public TableWriter {
 public:
  explicit CsvWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<void> table(std::string_view name, std::span<const Column> columns) override {
    if (Result<void> done = close(); !done) return done;
    file_ = std::make_unique<OutputFile>();
    if (Result<void> opened = file_->open(folder_ / (std::string(name) + ".csv")); !opened) return opened;
    std::string line;
    for (const Column& column : columns) (line += line.empty() ? "" : ",") += column.name;
    file_->write(line + "\n");
    return {};
  }

  void row(std::span<const Cell> cells) override {
    std::string line;
    bool first = true;
    for (const Cell& cell : cells) {
      if (!first) line += ',';
      first = false;
      if (const auto* number = std::get_if<int64_t>(&cell)) line += std::to_string(*number);
      if (const auto* text = std::get_if<std::string_view>(&cell)) append(line, *text);
    }
    file_->write(line + "\n");
  }

  Result<void> close() {
    if (!file_) return {};
    Result<void> done = file_->close();
    file_.reset();
    return done;
  }

 private:
  static void append(std::string& line, std::string_view text) {
    if (text.find_first_of(",\"\r\n") == text.npos) {
      line += text;
      return;
    }
    line += '"';
    for (char c : text) line.append(c == '"' ? 2 : 1, c);
    line += '"';
  }

  std::filesystem::path folder_;
  std::unique_ptr<OutputFile> file_;
};

}  // namespace

Result<Exported> export_csv(const trace::Trace& trace, const ExportOptions& options,
                            const std::filesystem::path& to) {
  if (Result<void> made = make_output_folder(to); !made) return tl::unexpected(made.error());
  CsvWriter writer(to);
  Result<Exported> exported = write_tables(trace, options, writer);
  if (!exported) return exported;
  if (Result<void> done = writer.close(); !done) return tl::unexpected(done.error());
  return exported;
}

}  // namespace refrain::exchange
