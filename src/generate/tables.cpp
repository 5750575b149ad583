#include "generate/tables.hpp"

#include <algorithm>

#include "generate/c_text.hpp"
#include "generate/refusal.hpp"

namespace refrain::generate {
namespace {

using trace::Column;
using trace::Item;

/// Tables up to this size are examined, and print the same whatever the structure of the column.
constexpr uint64_t listed = 1 << 16;
/// More than this goes to the file of tables: some 8 KB of text.
constexpr uint64_t longest_array = 1024;
constexpr size_t longest_runs = 256;
/// Columns up to this size are stored number by number, so that the file depends on the numbers alone. Longer
/// ones are stored as runs if that is shorter.
constexpr uint64_t most_stored = uint64_t{1} << 24;
/// With more runs than this, the program would be too long to read.
constexpr size_t most_runs = 1 << 20;

/// Breaks text into lines of at most 100 characters.
class WrappedWords {
 public:
  void put(const std::string& word) {
    if (width_ + word.size() > 100) {
      text_ += "\n   ";
      width_ = 3;
    }
    text_ += " " + word;
    width_ += word.size() + 1;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  size_t width_ = 0;
};

std::string numbers(const std::vector<int64_t>& values) {
  WrappedWords lines;
  for (size_t i = 0; i < values.size(); ++i)
    lines.put(constant(values[i]).text + (i + 1 < values.size() ? "," : ""));
  return "{" + lines.take() + "}";
}

/// The initializer of a `struct run` of the runtime.
std::string run_text(const Item& item, const std::string& body, uint64_t length) {
  return "{" + constant(item.first).text + ", " + constant(item.stride).text + ", " +
         std::to_string(item.count) + ", " + body + ", " + std::to_string(length) + "}";
}

std::string runs_text(const Column& column, const Column::Items& items,
                      const std::vector<std::string>& bodies) {
  WrappedWords lines;
  for (const Item& item : items) {
    if (item.count == 0) continue;
    uint64_t length = item.body == 0 ? 1 : column.length(item) / item.count;
    lines.put(run_text(item, item.body == 0 ? "0" : bodies[item.body - 1], length) + ",");
  }
  lines.put("{0, 0, 0, 0, 0}");
  return "{" + lines.take() + "}";
}

Column listed_runs(const Column& column) {
  return column.size() <= listed ? Column::of(column.expand()) : column;
}

size_t count_runs(const Column& column) {
  size_t count = column.items().size();
  for (const auto& body : column.bodies()) count += body.size();
  return count;
}

}  // namespace

Range range_of(const Column& column) {
  if (column.empty()) return {0, 0};
  if (column.size() <= listed) {
    auto values = column.expand();
    auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {*low, *high};
  }
  Range range{INT64_MAX, INT64_MIN};
  for (const Item& item : column.items()) {
    if (item.body != 0 || item.count > INT64_MAX) return {};
    int64_t way = 0, last = 0;
    if (__builtin_mul_overflow(item.stride, static_cast<int64_t>(item.count - 1), &way) ||
        __builtin_add_overflow(item.first, way, &last))
      return {};
    range = range.united({std::min(item.first, last), std::max(item.first, last)});
  }
  return range;
}

std::string Tables::named(const std::string& declaration, const std::string& initializer,
                          std::string_view what) {
  auto [found, fresh] = names_.try_emplace(declaration + initializer);
  if (!fresh) return found->second;
  std::string name = prefix_ + std::to_string(++count_);
  found->second = name;
  if (!what.empty()) text_ += "/* " + comment_text(what) + " */\n";
  text_ += "static const " + declaration + name + "[] = " + initializer + ";\n";
  return name;
}

std::string Tables::array(const Column& column, std::string_view what) {
  if (column.size() > listed) throw Refusal{"a list of " + std::to_string(column.size()) + " numbers"};
  return named("long long ", numbers(column.expand()), what);
}

std::string Tables::runs(const Column& column, std::string_view what) {
  Column plain = listed_runs(column);
  size_t count = count_runs(plain);
  if (count > most_runs) throw Refusal{"a table of " + std::to_string(count) + " runs"};
  std::vector<std::string> bodies;
  for (const auto& body : plain.bodies())
    bodies.push_back(named("struct run ", runs_text(plain, body, bodies), {}));
  return named("struct run ", runs_text(plain, plain.items(), bodies), what);
}

bool Tables::too_long(const Column& column, bool as_runs) const {
  if (file_ == nullptr) return false;
  return as_runs ? count_runs(listed_runs(column)) > longest_runs : column.size() > longest_array;
}

/// A name for a table of the file.
std::string Tables::stored(size_t number, uint64_t size, std::string_view what) {
  auto [found, fresh] = stored_.try_emplace(number);
  if (!fresh) return found->second;
  found->second = prefix_ + std::to_string(++count_);
  text_ += "#define " + found->second + " " + std::to_string(number) + " /* " + grouped(size) +
           " numbers in the file of tables" + (what.empty() ? "" : "; " + comment_text(what)) + " */\n";
  return found->second;
}

Expression Tables::stored_at(const Column& column, const Expression& index, std::string_view what) {
  Range outside = range_of(column).united({0, 0});
  bool whole = column.size() <= std::max<uint64_t>(most_stored, count_runs(column));
  size_t number = whole ? file_->numbers(column) : file_->runs(column);
  return call(whole ? "stored_at" : "stored_run_at", {stored(number, column.size(), what), index.text},
              outside);
}

Tables::Lists Tables::list(std::span<const Column> columns, const Expression& index) {
  bool small = true, irregular = false;
  for (const Column& column : columns) {
    small &= column.size() <= listed;
    irregular |= listed_runs(column).items().size() * 3 > column.size();
  }
  bool plain = small && irregular;
  bool in_file =
      std::any_of(columns.begin(), columns.end(), [&](const Column& c) { return too_long(c, !plain); }) &&
      std::all_of(columns.begin(), columns.end(), [](const Column& c) { return c.size() <= most_stored; });
  std::string function = in_file ? "list_stored" : plain ? "list_from" : "list_of";
  auto one = [&](const Column& column, std::string_view what) {
    if (in_file) return stored(file_->numbers(column), column.size(), what);
    return plain ? array(column, what) : runs(column, what);
  };
  if (columns.size() == 1) return {function, one(columns[0], "a list"), std::to_string(columns[0].size())};
  WrappedWords lines;
  std::vector<int64_t> lengths;
  for (const Column& column : columns) {
    lines.put(one(column, {}) + (&column == &columns.back() ? "" : ","));
    lengths.push_back(static_cast<int64_t>(column.size()));
  }
  const char* type = in_file ? "int " : plain ? "long long *const " : "struct run *const ";
  std::string all = named(type, "{" + lines.take() + "}", "lists, one for each case");
  return {function, all + "[" + index.text + "]",
          at(Column::of(lengths), index, "lengths of these lists").text};
}

Expression Tables::at(const Column& column, const Expression& index, std::string_view what) {
  Range range = range_of(column);
  if (column.empty()) return constant(0);
  auto size = static_cast<int64_t>(column.size());
  if (range.low == range.high && index.range.within(0, size - 1)) return constant(range.low);
  Range outside = range.united({0, 0});
  bool few_runs = listed_runs(column).items().size() * 4 < column.size();
  bool as_runs = column.size() > 48 && (few_runs || column.size() > listed);
  if (too_long(column, as_runs)) return stored_at(column, index, what);
  if (as_runs) return call("run_at", {runs(column, what), index.text}, outside);
  std::string name = array(column, what);
  if (index.range.within(0, size - 1)) return {name + "[" + index.text + "]", Binding::unary, range};
  return call("lookup", {name, std::to_string(size), index.text}, outside);
}

std::string Tables::of_strings(const std::vector<std::string>& strings) {
  WrappedWords lines;
  bool gap = false;
  for (size_t i = 0; i < strings.size(); ++i) {
    bool last = i + 1 == strings.size(), empty = strings[i].empty();
    if (!empty || last)  // the last one, so that the table is as long as it should be
      lines.put((gap ? "[" + std::to_string(i) + "] = " : "") + (empty ? "\"\"" : strings[i]) +
                (last ? "" : ","));
    gap = empty;
  }
  return named("char *const ", "{" + lines.take() + "}", {});
}

}  // namespace refrain::generate
