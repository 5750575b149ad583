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
  if_missing,  ///< an existing file is kept
  anew,        ///< the file is empty afterwards, or did not exist before
};
/// `path_number`: which path of the call.
Making making(const trace::Signature& s, size_t path_number);
/// Whether the call removes the file.
bool removes(const trace::Signature& s, size_t path_number);
/// Whether the handle that the call opens can read. Asked of calls that create a missing file.
bool opens_to_read(const trace::Signature& s);
/// Whether all writes through the handle that the call opens append.
bool opens_to_append(const trace::Signature& s);

/// How the outcome of a call depends on whether the file exists, which other ranks may decide.
enum class Contest : uint8_t {
  none,
  make,    ///< succeeds if the file does not exist
  remove,  ///< succeeds if the file exists, and removes it
  ask,     ///< succeeds if the file exists
};
Contest contest(const trace::Signature& s, size_t path_number);
/// Whether this error means that the file did not exist.
bool shows_absence(const std::string& error);

bool is_folder_call(const trace::Signature& s);
/// Whether this error means that the file existed.
bool shows_existence(const std::string& error);
/// Whether the path is relative to a folder that the call takes as a descriptor.
bool is_relative(const CallPlan& plan, const trace::Signature& s);
bool names_file(const CallPlan& plan, const trace::Signature& s);
/// Whether the call copies data from one descriptor to another.
bool copies_file(const CallPlan& plan);
/// Whether a call opens a file that has a format of its library's own (api::LayerFacts::has_format): until it
/// is closed, others may not be able to open it.
bool opens_format(const trace::Signature& s);
bool concerns_folder(const trace::Signature& s);
/// Whether the call changes size or content of a file without moving data.
bool changes_file(const trace::Signature& s);

}  // namespace refrain::plan
