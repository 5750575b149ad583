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

/// Whether a handle that the call makes is its result, and not left behind an argument, the result being an
/// error code. The row of fcntl can't say: it makes a descriptor with some commands only.
bool is_made_as_result(const api::Row& row);

/// The row of a function; null if it isn't known.
const api::Row* find_row(std::string_view layer, std::string_view function);

/// The argument that says the type of a value of HDF5.
const GivenArgument& type_of(const CallPlan& plan, const GivenArgument& value);

/// Whether the call follows a link at the end of a path; if not, it is about the link itself.
bool follows_link(const trace::Signature& signature, const GivenArgument& path);
/// The folder that a path is relative to, if a descriptor is given for it; else null.
const GivenArgument* folder_of(const trace::Signature& signature, const CallPlan& plan,
                               const GivenArgument& path);
/// Whether the argument says where a symbolic link leads.
bool is_link_target(const CallPlan& plan, const GivenArgument& path);
/// Whether the argument is where something comes to lie that is at the path before it.
bool is_destination(const CallPlan& plan, const GivenArgument& path);

/// Whether the call exchanges what is at two paths.
bool exchanges(const trace::Signature& signature);

/// Whether the call changes what belongs to a file beside its data: not to be done to a stand-in.
bool changes_attributes(const trace::Signature& signature);
/// Whether an identifier that is none was a property list that had been closed, as opposed to a number that
/// never was one: HDF5 tells them apart.
bool takes_closed_list(const trace::Signature& signature);
/// Whether a call of fcntl with this command would have another process sent signals.
bool sends_signals(const trace::Signature& signature, const GivenArgument& command);

/// Whether the call sets an access control list, which has to be a valid one: not any bytes will do.
bool sets_access_list(const trace::Signature& signature);

/// Whether the caller didn't want to be told what such calls tell.
bool leaves_out_result(const trace::Signature& signature);

/// Whether the status of a call of MPI tells how much it read.
bool tells_bytes_read(const api::Row& row);

/// The class of the slots of memory that the call, one of HDF5's, fills for others or takes from them.
std::string_view memory_class(const trace::Signature& signature);

/// The plan of calls with this signature. An error if the function isn't known, or the operands are not those
/// that its declaration asks for.
Result<CallPlan> plan_call(const trace::Signature& signature);

}  // namespace refrain::plan
