// Errors of the libraries and commands. A function that can fail returns Result<T>; the command line
// prints the error once and turns its kind into the exit code. Nothing here is used inside the
// application's process, where failures are counted instead of reported.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace refrain {

enum class ErrorKind {
  usage,      ///< the command line is wrong
  bad_input,  ///< a file or message does not hold what it must
  io,         ///< the operating system refused
  no_space,   ///< it refused because the disk is full
  limit,      ///< well formed, but beyond what we accept or can do
};

/// What went wrong and where. `where` names file, section and offset, or job and field; may be empty.
struct Error {
  ErrorKind kind = ErrorKind::bad_input;
  std::string message;
  std::string where;

  /// The one line that a user sees.
  std::string text() const { return where.empty() ? message : where + ": " + message; }
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string where = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(message), std::move(where)});
}

/// Puts `where` in front of the place an error already names, on its way up.
inline tl::unexpected<Error> within(std::string where, Error error) {
  if (!error.where.empty()) where += ", " + error.where;
  error.where = std::move(where);
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace refrain
