// Fields of JSON files that people write: each is checked, and the first one that is wrong is thrown with its
// name and the reason, for the reader of the file to catch and to say in one line.
#pragma once

#include <initializer_list>
#include <string>

#include "schedule/job_stream.hpp"
#include "schedule/time.hpp"

namespace refrain::schedule {

/// A field that was found wrong. Thrown and caught inside the reader of a file, as a reader of many small
/// fields would otherwise consist of little but the handling of errors.
struct Wrong {
  std::string field;
  std::string reason;
};

const Json& need(const Json& object, const char* field);
double number(const Json& value, const std::string& field);
double not_negative(const Json& value, const std::string& field);
Time duration(const Json& value, const std::string& field);
/// A whole number in [low, high]; 1e3 and 5.0 are whole numbers too.
uint64_t whole(const Json& value, const std::string& field, uint64_t low, uint64_t high);
/// Empty if there is none.
std::string read_string(const Json& json, const char* field);
/// Everything else in the object is wrong.
void know_fields(const Json& object, std::initializer_list<const char*> known);

}  // namespace refrain::schedule
