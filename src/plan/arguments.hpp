// How the operands of a recorded call belong to the arguments of the function's declaration: what has to be
// known before the call can be made again, by a generated program or by a replay. Some arguments leave no
// operand (a status, a list's length), some leave several (a list of datatypes, a structure).
#pragma once

#include <string_view>
#include <vector>

#include "api/table.hpp"
#include "base/result.hpp"
#include "trace/signature.hpp"

namespace refrain::plan {

/// An argument of the declaration and the operands that describe it.
struct GivenArgument {
  const api::Argument* argument = nullptr;
  size_t first = 0;      ///< number of its first operand
  size_t count = 0;      ///< how many there are
  size_t parameter = 0;  ///< number of the first operand's first parameter in the event
  api::Form form = api::Form::name;
};

struct CallPlan {
  const api::Row* row = nullptr;
  std::vector<GivenArgument> arguments{};  ///< one per argument of the row
  size_t result_parameter = 0;             ///< number of the result's parameter, if it has one

  /// The argument of this name, which the row must have.
  const GivenArgument& named(std::string_view name) const;
};

/// Whether the call returns the handle that it makes. Otherwise it stores the handle through an argument, and
/// the result is an error code. Rows don't say this of fcntl, which makes a descriptor only with some
/// commands.
bool is_made_as_result(const api::Row& row);

/// The row of a function; null if there is none.
const api::Row* find_row(std::string_view layer, std::string_view function);

/// The argument that gives the type of an HDF5 value.
const GivenArgument& type_of(const CallPlan& plan, const GivenArgument& value);

/// Whether the call follows a link at the end of a path; otherwise it acts on the link itself.
bool follows_link(const trace::Signature& signature, const GivenArgument& path);
/// The descriptor argument of the folder that a path is relative to; null if there is none.
const GivenArgument* folder_of(const trace::Signature& signature, const CallPlan& plan,
                               const GivenArgument& path);
/// Whether the argument says where a symbolic link leads.
bool is_link_target(const CallPlan& plan, const GivenArgument& path);
/// Whether the argument is the new path of the file at the path argument before it.
bool is_destination(const CallPlan& plan, const GivenArgument& path);

/// Whether the call exchanges the files at two paths.
bool exchanges(const trace::Signature& signature);

/// Whether the call changes metadata of a file; not to be done to a stand-in.
bool changes_attributes(const trace::Signature& signature);
/// Whether an invalid identifier was once that of a property list, now closed. HDF5 treats it differently
/// from a number that never was an identifier.
bool takes_closed_list(const trace::Signature& signature);
/// Whether a call of fcntl with this command makes the system send signals to another process.
bool sends_signals(const trace::Signature& signature, const GivenArgument& command);

/// Whether the call sets an access control list, whose bytes must be valid.
bool sets_access_list(const trace::Signature& signature);

/// Whether the caller passed NULL for what the call returns by address.
bool leaves_out_result(const trace::Signature& signature);

/// Whether the status of an MPI call says how much it read.
bool tells_bytes_read(const api::Row& row);

/// The handle class of memory that this call of HDF5 fills for other calls, or reads after them.
std::string_view memory_class(const trace::Signature& signature);

/// The plan of calls with this signature. An error if the function isn't known, or the operands are not those
/// that its declaration asks for.
Result<CallPlan> plan_call(const trace::Signature& signature);

}  // namespace refrain::plan
