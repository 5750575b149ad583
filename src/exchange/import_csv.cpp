// Calls in a CSV file as `refrain export --to csv` writes them: the way back, and a way in for whoever has
// calls in any other form. A folder stands for its calls.csv, ranks.csv and trace.csv; of a file alone only
// the calls are known. Columns are found by their names; `function`, `arguments` and `kinds` must be there.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "api/layers.hpp"
#include "exchange/importers.hpp"
#include "exchange/input_lines.hpp"
#include "exchange/operand_text.hpp"
#include "exchange/trace_builder.hpp"
#include "trace/text.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

constexpr int64_t most_csv_ranks = 1 << 20;

/// The cells of a line; false if quotes don't match.
bool split_cells(std::string_view line, std::vector<std::string>& cells) {
  cells.assign(1, {});
  bool quotes = false;
  for (size_t i = 0; i < line.size(); ++i) {
    bool doubled = quotes && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (doubled)
      cells.back() += line[i++];
    else if (line[i] == '"')
      quotes = !quotes;
    else if (line[i] == ',' && !quotes)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return !quotes;
}

/// A table with its columns by name.
class CsvTable {
 public:
  Result<void> open(const std::filesystem::path& path) {
    if (Result<void> opened = lines_.open(path); !opened) return opened;
    Result<bool> head = lines_.next();
    if (!head) return tl::unexpected(head.error());
    std::vector<std::string> names;
    if (!*head || !split_cells(lines_.line(), names)) return lines_.bad("no line with the names of columns");
    for (size_t i = 0; i < names.size(); ++i) columns_.try_emplace(names[i], i);
    return {};
  }

  /// Calls `use()` for every row.
  template <class Use>
  Result<void> rows(Use use) {
    // Text in quotes may go on in the next line.
    std::string row;
    Result<void> done = for_each_line(lines_, [&]() -> Result<void> {
      if (row.size() + lines_.line().size() > InputLines::longest_line)
        return lines_.bad("a quote is missing");
      row += lines_.line();
      if (!split_cells(row, cells_)) {
        row += lines_.ends_in_return() ? "\r\n" : "\n";
        return {};
      }
      row.clear();
      if (cells_.size() != columns_.size())
        return lines_.bad(fmt::format("{} columns instead of {}", cells_.size(), columns_.size()));
      return use();
    });
    if (done && !row.empty()) return lines_.bad("a quote is missing");
    return done;
  }

  bool has(const std::string& name) const { return columns_.contains(name); }
  /// Empty if there is no such column.
  const std::string& cell(const std::string& name) const {
    static const std::string none;
    auto found = columns_.find(name);
    return found == columns_.end() ? none : cells_[found->second];
  }
  /// 0 where the cell is empty.
  Result<int64_t> number(const std::string& name) const {
    const std::string& text = cell(name);
    if (text.empty()) return 0;
    std::optional<int64_t> value = decimal(text);
    if (!value) return lines_.bad(fmt::format("column {} is no number", name));
    return *value;
  }
  /// The same, of what is never negative, and at most `most`.
  Result<int64_t> count(const std::string& name, int64_t most) const {
    Result<int64_t> value = number(name);
    if (value && (*value < 0 || *value > most))
      return lines_.bad(fmt::format("column {} is not one of 0 to {}", name, most));
    return value;
  }
  tl::unexpected<Error> bad(const std::string& message) const { return lines_.bad(message); }

 private:
  InputLines lines_;
  std::map<std::string, size_t> columns_;
  std::vector<std::string> cells_;
};

class CsvImport {
 public:
  Result<void> ranks(const std::filesystem::path& path) {
    CsvTable table;
    if (Result<void> opened = table.open(path); !opened) return opened;
    return table.rows([&]() -> Result<void> {
      Result<MemberBuilder*> found = member(table);
      if (!found) return tl::unexpected(found.error());
      Process& process = (*found)->process();
      process.program = table.cell("program");
      for (std::string_view word : split_words(table.cell("arguments"))) process.arguments.emplace_back(word);
      process.directory = table.cell("directory");
      const std::string& ending = table.cell("ending");
      if (!ending.empty() && ending != "exited" && ending != "early" && ending != "replaced")
        return table.bad("an ending is one of exited, early, replaced");
      process.ending = ending == "early"      ? Ending::early
                       : ending == "replaced" ? Ending::replaced
                                              : Ending::exited;
      Result<int64_t> start = table.count("start_ns", INT64_MAX), pid = table.count("pid", UINT32_MAX);
      if (!start) return tl::unexpected(start.error());
      if (!pid) return tl::unexpected(pid.error());
      process.start_ns = static_cast<uint64_t>(*start);
      process.pid = static_cast<uint32_t>(*pid);
      return {};
    });
  }

  Result<void> facts(const std::filesystem::path& path) {
    CsvTable table;
    if (Result<void> opened = table.open(path); !opened) return opened;
    return table.rows([&]() -> Result<void> {
      const std::string &key = table.cell("key"), &value = table.cell("value");
      if (key == "command") command_ = value;
      if (key == "host") host_ = value;
      if (key == "note") notes_.push_back(value);
      if (key != "ranks") return {};
      std::optional<int64_t> ranks = decimal(value);
      if (!ranks || *ranks < 0 || *ranks > most_csv_ranks) return table.bad("a bad number of ranks");
      nprocs_ = static_cast<uint32_t>(*ranks);
      return {};
    });
  }

  Result<void> calls(const std::filesystem::path& path) {
    CsvTable table;
    if (Result<void> opened = table.open(path); !opened) return opened;
    for (const char* name : {"function", "arguments", "kinds"})
      if (!table.has(name)) return table.bad(fmt::format("there is no column {}", name));
    return table.rows([&] { return call(table); });
  }

  Result<Trace> finish(const std::filesystem::path& path) {
    std::vector<Trace> pieces;
    uint64_t calls = 0;
    for (auto& [key, member] : members_) {
      if (key.second >= 0) nprocs_ = std::max(nprocs_, static_cast<uint32_t>(key.second) + 1);
      calls += member.calls();
    }
    if (calls == 0) return fail(ErrorKind::bad_input, "there are no calls", path.string());
    for (auto& [key, member] : members_) {
      Trace piece = member.finish();
      piece.nprocs = key.second >= 0 ? nprocs_ : 0;
      piece.command = command_;
      piece.host = host_;
      pieces.push_back(std::move(piece));
    }
    notes_.push_back("imported from CSV: times are those of the table; call sites are not known");
    if (!unknown_functions_.empty())
      notes_.push_back(
          "functions that Refrain has no row of, which can be printed and compared but not called: " +
          counted_names(unknown_functions_));
    if (std::string strangers = never_made(); !strangers.empty())
      notes_.push_back("handles that no call of the table made, with how many calls use them: " + strangers);
    Trace whole = assemble_members(std::move(pieces), "CSV", std::move(notes_));
    return whole;
  }

 private:
  using Key = std::pair<int64_t, int64_t>;  ///< process, rank or -1

  Result<MemberBuilder*> member(const CsvTable& table) {
    Result<int64_t> process = table.count("process", INT32_MAX),
                    rank = table.count("rank", most_csv_ranks - 1);
    if (!process) return tl::unexpected(process.error());
    if (!rank) return tl::unexpected(rank.error());
    if (table.cell("rank").empty()) rank = -1;
    auto found = members_.find({*process, *rank});
    if (found == members_.end()) {
      Process fresh{.pid = static_cast<uint32_t>(members_.size() + 1), .ending = Ending::exited};
      if (*rank >= 0) fresh.ranks = RankSet::range(static_cast<uint32_t>(*rank), 1);
      found = members_.emplace(Key{*process, *rank}, MemberBuilder(std::move(fresh))).first;
    }
    return &found->second;
  }

  Result<void> call(const CsvTable& table) {
    Result<MemberBuilder*> builder = member(table);
    if (!builder) return tl::unexpected(builder.error());
    Result<ReadOperands> operands =
        read_operands(table.cell("kinds"), table.cell("arguments"), table.cell("result"));
    if (!operands) return table.bad(operands.error().message);
    Result<int64_t> thread = table.count("thread", UINT16_MAX), gap = table.count("gap_ns", INT64_MAX),
                    duration = table.count("duration_ns", INT64_MAX), bracket = table.number("bracket");
    for (const Result<int64_t>* number : {&thread, &gap, &duration, &bracket})
      if (!*number) return tl::unexpected(number->error());
    if (*bracket < -1 || *bracket > 1) return table.bad("a bracket is one of -1, 0, 1");
    ImportedCall call{.function = table.cell("function"), .layer = table.cell("layer")};
    if (call.function.empty()) return table.bad("a call without a function");
    const api::Row* row = api::find_row(call.function);
    if (call.layer.empty() && row != nullptr) call.layer = std::string(row->layer);
    if (call.layer.empty())
      return table.bad("function '" + plain_name(call.function) + "' is not known, and no layer is given");
    const std::string& stream = table.cell("stream");
    for (const std::string& layer : {call.layer, stream})
      if (!layer.empty() && !api::is_layer(layer))
        return table.bad("there is no layer '" + plain_name(layer) + "'");
    if (row == nullptr) ++unknown_functions_[call.function];
    call.error = table.cell("error");
    call.bracket = static_cast<Bracket>(*bracket);
    call.arguments = std::move(operands->arguments);
    call.result = std::move(operands->result);
    if (stream.empty()) note_handles(call, *builder, static_cast<uint32_t>(*thread));
    uint64_t& clock = clocks_[{*builder, *thread, stream}];
    call.start_ns = clock + static_cast<uint64_t>(*gap);
    call.end_ns = clock = call.start_ns + static_cast<uint64_t>(*duration);
    if (Result<void> done = (*builder)->add(call, static_cast<uint32_t>(*thread), stream); !done)
      return table.bad(done.error().message);
    return {};
  }

  /// A handle of a member: class, thread that made it, slot.
  using Handle = std::tuple<MemberBuilder*, std::string, uint32_t, int64_t>;

  void note_handles(const ImportedCall& call, MemberBuilder* member, uint32_t thread) {
    auto handle = [&](const OperandValue& value) {
      const Operand& o = value.operand;
      uint32_t maker = o.thread == Operand::own_thread ? thread : static_cast<uint32_t>(o.thread);
      return Handle{member, o.text, maker, value.number};
    };
    for (const OperandValue& value : call.arguments)
      if (value.operand.kind == OperandKind::slot) ++used_[handle(value)];
    if (call.result.operand.kind == OperandKind::slot) made_.insert(handle(call.result));
  }

  /// Handles that are used but not made, as text.
  std::string never_made() const {
    std::map<std::string, uint64_t> counts;
    for (const auto& [handle, count] : used_)
      if (!made_.contains(handle)) counts[std::get<1>(handle) + std::to_string(std::get<3>(handle))] += count;
    return counted_names(counts);
  }

  std::map<Key, MemberBuilder> members_;
  std::map<std::string, uint64_t> unknown_functions_;
  std::map<Handle, uint64_t> used_;
  std::set<Handle> made_;
  std::map<std::tuple<MemberBuilder*, int64_t, std::string>, uint64_t> clocks_;
  std::string command_, host_;
  std::vector<std::string> notes_;
  uint32_t nprocs_ = 0;
};

}  // namespace

Result<Trace> import_csv(const std::vector<std::filesystem::path>& files, const ImportOptions&) {
  CsvImport import;
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    bool is_folder = std::filesystem::is_directory(file, error);
    if (is_folder) {
      if (Result<void> done = import.facts(file / "trace.csv"); !done) return tl::unexpected(done.error());
      if (Result<void> done = import.ranks(file / "ranks.csv"); !done) return tl::unexpected(done.error());
    }
    Result<void> done = import.calls(is_folder ? file / "calls.csv" : file);
    if (!done) return tl::unexpected(done.error());
  }
  return import.finish(files.front());
}

}  // namespace refrain::exchange
