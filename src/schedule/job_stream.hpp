// JSON of which one list may be very long: its elements are handed out one by one and forgotten. What is left
// is kept as a document.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/result.hpp"

namespace refrain::schedule {

/// Fields keep the order of the file.
using Json = nlohmann::ordered_json;

/// On one line, and cut if it is long.
std::string shown(const Json& value);

/// Reads a JSON text. The elements of the list `list` of the outermost object go to `take`, with their place
/// in it; in the document, which is returned, that list is empty. An error if the text is not JSON, or if an
/// object has a field twice.
Result<Json> read_json(std::string_view text, std::string_view list,
                       const std::function<void(size_t place, const Json& element)>& take);

}  // namespace refrain::schedule
