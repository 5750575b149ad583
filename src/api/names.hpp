// Names of flags and enumerators, by the kind of the argument. Traces keep names, not numbers, so that a
// trace means the same on another architecture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/kinds.hpp"

namespace refrain::api {

/// `O_WRONLY|O_CREAT|0x40000000`: known names in table order, then what is left in hexadecimal.
/// Kinds without names print as octal (mode) or hexadecimal.
std::string name_of(Kind kind, uint64_t value);
/// The inverse of name_of; nothing if `text` holds a name that isn't known here.
std::optional<uint64_t> value_of(Kind kind, std::string_view text);

/// `ENOENT`; `errno 4711` for numbers without a name.
std::string errno_name(int number);

}  // namespace refrain::api
