// As std::bit_cast, which the library of GCC 10 (Debian 11) has not.
#pragma once

#include <type_traits>

namespace refrain {

/// The value of another type that has the same bytes.
template <class To, class From>
To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
                std::is_trivially_copyable_v<From>);
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace refrain
