// Where a coordinator listens, as ZeroMQ writes it: tcp://HOST:PORT or ipc://PATH. Events are told at a
// second address that follows from the first: the next port, or the path with ".events" behind it.
#pragma once

#include <string>

#include "base/result.hpp"

namespace refrain::coordinate {

inline constexpr const char* default_address = "tcp://127.0.0.1:5570";

struct Address {
  std::string text{};     ///< as ZeroMQ takes it
  std::string events{};   ///< likewise
  bool is_local = false;  ///< nobody on another machine can connect
};

/// What is neither form is refused; "HOST:PORT" is short for the first.
Result<Address> parse_address(const std::string& text);

}  // namespace refrain::coordinate
