// What the trace holds of a netCDF file that was opened, for a file like it. Part of inputs.hpp.
#pragma once

#include <span>

#include "plan/arguments.hpp"
#include "plan/file_facts.hpp"

namespace refrain::plan {

/// Keeps what a call found in the file that it opened, if it did: a list of numbers, then names.
void keep_netcdf_header(FileFacts& facts, const trace::Trace& trace, const CallPlan& plan,
                        const trace::Signature& s, std::span<const int64_t> parameters);

}  // namespace refrain::plan
