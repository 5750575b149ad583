// Names of flags and enumerators, by the kind of the argument. Traces keep names, not numbers, so that a
// trace means the same on another architecture. Each layer lists its names in names.def, those of a kind
// together:
//
//   FLAG(kind, name, value, bits)      set if the value's `bits` are these
//   CASE(kind, name, value)            one of the enumerators of a kind
//   SYSTEM_FLAG(kind, name), SYSTEM_FIELD(kind, name, bits), SYSTEM_CASE(kind, name)
//                                      the same, with the value that the system's headers give the name
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/kinds.hpp"

namespace refrain::api {

/// `O_WRONLY|O_CREAT|0x40000000`: known names in table order, then the remaining bits in hexadecimal.
/// Kinds without names print as octal (mode) or hexadecimal.
std::string name_of(Kind kind, uint64_t value);
/// The inverse of name_of; nothing if `text` holds an unknown name.
std::optional<uint64_t> value_of(Kind kind, std::string_view text);

/// `ENOENT`; `errno 4711` for numbers without a name.
std::string errno_name(int number);
/// `MPI_ERR_NO_SUCH_FILE`; `MPI error 4711` for classes without a name.
std::string mpi_error_name(int error_class);

}  // namespace refrain::api
