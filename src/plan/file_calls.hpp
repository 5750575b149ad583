// What calls do to the files that they name or have open, read off their signatures.
#pragma once

#include <cstdint>
#include <string>

#include "measure/access_rule.hpp"
#include "plan/arguments.hpp"

namespace refrain::plan {

/// Whether a call makes the file that it names.
enum class Making : uint8_t {
  no,
  if_missing,  ///< what is there stays
  anew,        ///< what was there before is gone, or there was nothing
};
/// `path_number`: which of the paths that the call names.
Making making(const trace::Signature& s, size_t path_number);
/// Whether the file is no more afterwards.
bool removes(const trace::Signature& s, size_t path_number);
/// Whether a file that a call makes if it is missing can be read through what the call opens.
bool opens_to_read(const trace::Signature& s);
/// Whether all writes through what the call opens go to the end.
bool opens_to_append(const trace::Signature& s);

/// How the outcome of a call depends on whether the file is there, which others may decide.
enum class Contest : uint8_t {
  none,
  make,    ///< works if it is not
  remove,  ///< works if it is, and it is no more
  ask,     ///< works if it is
};
Contest contest(const trace::Signature& s, size_t path_number);
/// Whether a call could only fail so because there was no file.
bool shows_absence(const std::string& error);

bool is_folder_call(const trace::Signature& s);
/// Whether a call could only fail so because the file was there.
bool shows_existence(const std::string& error);
/// Whether a path is looked up below a folder that is given by its descriptor.
bool is_relative(const CallPlan& plan, const trace::Signature& s);
bool names_file(const CallPlan& plan, const trace::Signature& s);
/// Whether data goes from one descriptor to another.
bool copies_file(const CallPlan& plan);
bool concerns_folder(const trace::Signature& s);
/// Whether the call changes how large a file is, or its content, though it moves no data.
bool changes_file(const trace::Signature& s);

}  // namespace refrain::plan
