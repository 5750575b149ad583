// See json_fields.hpp.
#include "schedule/json_fields.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace refrain::schedule {

const Json& need(const Json& object, const char* field) {
  auto found = object.find(field);
  if (found == object.end()) throw Wrong{field, "is missing"};
  return *found;
}

double number(const Json& value, const std::string& field) {
  if (!value.is_number()) throw Wrong{field, "must be a number, is " + shown(value)};
  auto read = value.get<double>();
  if (!std::isfinite(read)) throw Wrong{field, "must be finite, is " + shown(value)};
  return read;
}

double not_negative(const Json& value, const std::string& field) {
  double read = number(value, field);
  if (read < 0) throw Wrong{field, "must not be negative, is " + shown(value)};
  return read;
}

Time duration(const Json& value, const std::string& field) {
  double read = not_negative(value, field);
  if (read > in_seconds(longest_time)) throw Wrong{field, shown(value) + " s are too long"};
  return from_seconds(read);
}

uint64_t whole(const Json& value, const std::string& field, uint64_t low, uint64_t high) {
  double read = number(value, field);
  if (read != std::floor(read)) throw Wrong{field, "must be a whole number, is " + shown(value)};
  if (read < static_cast<double>(low))
    throw Wrong{field, fmt::format("must be at least {}, is {}", low, shown(value))};
  if (read > static_cast<double>(high))
    throw Wrong{field, fmt::format("{} is more than the {} allowed", shown(value), high)};
  return static_cast<uint64_t>(read);
}

std::string read_string(const Json& json, const char* field) {
  auto found = json.find(field);
  if (found == json.end()) return {};
  if (!found->is_string()) throw Wrong{field, "must be a string, is " + shown(*found)};
  return found->get<std::string>();
}

void know_fields(const Json& object, std::initializer_list<const char*> known) {
  for (const auto& item : object.items()) {
    bool is_known = std::any_of(known.begin(), known.end(), [&](const char* k) { return item.key() == k; });
    if (!is_known) throw Wrong{shown(Json(item.key())), "is no field of this object"};
  }
}

}  // namespace refrain::schedule
