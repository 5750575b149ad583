#include "report/columns.hpp"

#include <gtest/gtest.h>

namespace refrain::report {
namespace {

/// The values of a column, as page/columns.js unpacks them.
Json unpacked(const Json& column, size_t rows) {
  Json list = Json::array();
  if (column.is_array()) return column;
  for (size_t row = 0; row < rows; ++row) {
    if (column.contains("=:")) list.push_back(column["=:"]);
    if (column.contains("=@")) list.push_back(column["=@"][column["=i"][row].get<size_t>()]);
    if (!column.contains("=~")) continue;
    std::string text = column["=~"][0];
    for (size_t k = 0; k < column["=#"].size(); ++k) {
      const Json& numbers = column["=#"][k];
      std::string digits = std::to_string(numbers[row + 1].get<uint64_t>());
      digits.insert(0, std::max(numbers[0].get<size_t>(), digits.size()) - digits.size(), '0');
      text += digits + column["=~"][k + 1].get<std::string>();
    }
    list.push_back(text);
  }
  return list;
}

/// As page/columns.js does it.
Json in_rows(const Json& json) {
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& entry : json) list.push_back(in_rows(entry));
    return list;
  }
  if (!json.is_object()) return json;
  bool packed = json.contains("=:") || json.contains("=~") || json.contains("=@");
  if (packed) return json;
  Json object = Json::object();
  for (auto& [key, value] : json.items())
    if (key != "=" && key != "=?") object[key.starts_with('=') ? key.substr(1) : key] = in_rows(value);
  if (json.contains("="))
    for (Json& column : object) column = unpacked(column, json["="].get<size_t>());
  if (!json.contains("=")) return object;
  Json list = Json::array();
  for (size_t row = 0; row < json["="].get<size_t>(); ++row) {
    Json& entry = list.emplace_back(Json::object());
    for (auto& [key, column] : object.items())
      if (!column[row].is_null()) entry[key] = column[row];
  }
  if (json.contains("=?"))
    for (const Json& row : json["=?"]) list[row.get<size_t>()] = nullptr;
  return list;
}

TEST(Columns, NameEachFigureOnce) {
  Json files = Json::parse(R"([{"path": "a", "calls": 1}, {"path": "b", "calls": 2}])");
  EXPECT_EQ(in_columns(files), Json::parse(R"({"=": 2, "path": ["a", "b"], "calls": [1, 2]})"));
}

TEST(Columns, ComeBackAsTheyWere) {
  for (
      const char* text : {
          R"({"files": [{"path": "a", "layers": {"posix": {"calls": 1}}}, {"path": "b", "layers": {}}]})",
          R"([{"a": 1}, null, {"b": [1, 2]}, {}])",
          R"([{"a": null}, {"a": 1}])",
          R"([{"=": 3, "==": 4, "=?": [0]}, {"=": 1}])",
          R"({"=": 1, "x": {"=?": 2}})",
          R"([{"layers": {"posix": {"calls": 1}, "mpiio": {"calls": 4}}}, {"layers": {"posix": {"calls": 3}}},
               {"layers": {"mpiio": {"calls": 5}}}])",
          R"([[{"a": 1}, {"a": 2}], [], [{"a": 3}], 7, "x", true])",
          R"([{}, {}])",
          R"([])",
      }) {
    Json json = Json::parse(text);
    EXPECT_EQ(in_rows(in_columns(json)), json) << text;
  }
}

/// A table of these values, there and back.
Json packed(const std::vector<Json>& values) {
  Json table = Json::array();
  for (const Json& value : values) table.push_back({{"x", value}});
  Json columns = in_columns(table);
  EXPECT_EQ(in_rows(columns), table);
  return columns["x"];
}

TEST(Columns, LongOnesArePacked) {
  std::vector<Json> same(9, 7), names, padded, ragged, few, numbers, long_digits;
  for (int i = 0; i < 200; ++i) {
    names.push_back("step 3, file." + std::to_string(i) + " of 200");
    padded.push_back("f" + std::string(i < 10 ? "00" : i < 100 ? "0" : "") + std::to_string(i));
    ragged.push_back("0" + std::to_string(i));
    few.push_back(i % 3 ? "a" : "b1");
    numbers.push_back(i * i);
    long_digits.push_back("1234567890123456789" + std::to_string(i));
  }
  EXPECT_EQ(packed(same), Json::parse(R"({"=:": 7})"));
  EXPECT_EQ(packed(names)["=~"], Json::parse(R"(["step 3, file.", " of 200"])"));
  EXPECT_EQ(packed(padded)["=#"][0][0], 3);
  EXPECT_TRUE(packed(ragged).is_array()) << "05 and 015 have no width in common";
  EXPECT_EQ(packed(few)["=@"].size(), 2u);
  EXPECT_TRUE(packed(numbers).is_array());
  EXPECT_TRUE(packed(long_digits).is_array()) << "JavaScript would round them";
  EXPECT_TRUE(packed({"a1", "a2", "a3"}).is_array()) << "short";
  EXPECT_EQ(packed(std::vector<Json>(20, Json::array()))["=:"], Json::array());
}

}  // namespace
}  // namespace refrain::report
