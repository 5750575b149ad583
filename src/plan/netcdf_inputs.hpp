// The header of an opened netCDF file, from which a similar file can be made. Part of inputs.hpp.
#pragma once

#include <span>

#include "plan/arguments.hpp"
#include "plan/file_facts.hpp"

namespace refrain::plan {

/// Keeps the header of a file as the call that opened it found it: a list of numbers, then names.
/// Without one, which is the case for netCDF-4, the file can't be made.
void keep_netcdf_header(FileFacts& facts, const trace::Trace& trace, const CallPlan& plan,
                        const trace::Signature& s, std::span<const int64_t> parameters);

}  // namespace refrain::plan
