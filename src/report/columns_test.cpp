#include "report/columns.hpp"

#include <gtest/gtest.h>

namespace refrain::report {
namespace {

/// As page/columns.js does it.
Json in_rows(const Json& json) {
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& entry : json) list.push_back(in_rows(entry));
    return list;
  }
  if (!json.is_object()) return json;
  Json object = Json::object();
  for (auto& [key, value] : json.items())
    if (key != "=" && key != "=?") object[key.starts_with('=') ? key.substr(1) : key] = in_rows(value);
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

}  // namespace
}  // namespace refrain::report
