#include "report/columns.hpp"

#include <algorithm>

#include "report/packed_column.hpp"

namespace refrain::report {
namespace {

/// What the columns can hold: objects, at least two, and places without one; no object has a null of its own.
bool is_table(const Json& list) {
  auto fits = [](const Json& entry) {
    return entry.is_null() ||
           (entry.is_object() &&
            std::none_of(entry.begin(), entry.end(), [](const Json& value) { return value.is_null(); }));
  };
  return std::count_if(list.begin(), list.end(), [](const Json& e) { return e.is_object(); }) >= 2 &&
         std::all_of(list.begin(), list.end(), fits);
}

std::string key_of(const std::string& key) { return key.starts_with('=') ? "=" + key : key; }

Json columns_of(Json list) {
  Json columns = Json::object(), absent = Json::array();
  for (size_t row = 0; row < list.size(); ++row) {
    if (list[row].is_null()) absent.push_back(row);
    for (auto& [key, value] : list[row].items()) {
      Json& column = columns[key_of(key)];
      if (column.is_null()) column = Json(std::vector<Json>(list.size()));
      column[row] = std::move(value);
    }
  }
  for (Json& column : columns) column = packed_column(in_columns(std::move(column)));
  columns["="] = list.size();
  if (!absent.empty()) columns["=?"] = std::move(absent);
  return columns;
}

}  // namespace

Json in_columns(Json json) {
  if (json.is_array() && is_table(json)) return columns_of(std::move(json));
  if (json.is_array())
    for (Json& entry : json) entry = in_columns(std::move(entry));
  if (!json.is_object()) return json;
  Json object = Json::object();
  for (auto& [key, value] : json.items()) object[key_of(key)] = in_columns(std::move(value));
  return object;
}

}  // namespace refrain::report
