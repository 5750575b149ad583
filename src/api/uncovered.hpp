// Why some public functions of the libraries we know are not recorded: REASON(pattern, why) in the layers'
// uncovered.def. The first pattern that matches counts; `*` stands for any text. A function with a row needs
// no reason. `refrain api --missing` lists functions that have neither.
#pragma once

#include <string_view>

namespace refrain::api {

/// Why this function has no row; empty if no reason is given.
std::string_view reason_uncovered(std::string_view function);

/// Whether `text` matches `pattern`, in which `*` stands for any text.
bool is_like(std::string_view text, std::string_view pattern);

}  // namespace refrain::api
