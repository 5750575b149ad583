// Why some public functions of the libraries we know are not recorded: REASON(pattern, why) in the layers'
// uncovered.def. The first pattern that matches counts; `*` stands for anything. A function that has a row
// needs no reason, whatever matches; one with neither is an omission that `refrain api --missing` shows as
// such.
#pragma once

#include <string_view>

namespace refrain::api {

/// Why there is no row for this function; empty if nobody has said.
std::string_view reason_uncovered(std::string_view function);

/// Whether `text` is like `pattern`, in which `*` stands for any text.
bool is_like(std::string_view text, std::string_view pattern);

}  // namespace refrain::api
