// Whether runs are of one program, started in the same way. Laws over runs of different programs mean
// nothing, even where some fit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "extrapolate/unify_runs.hpp"
#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// What differs between the commands of the runs, as in `argument 2 is "-n64" at 4 ranks, "-n77" at 8 ranks`;
/// nothing if they are of one program with the same arguments. Numbers in names and arguments may follow from
/// the number of ranks, and files may be in other directories.
std::optional<std::string> different_commands(const std::vector<trace::Trace>& runs);

/// The first call that some runs make and others don't, and which runs do.
std::optional<std::string> where_runs_part(const Unified& unified);

/// A program that is built anew for each number of ranks makes its calls at other addresses. Where runs have
/// few addresses in common, calls are told apart by the order in which each function is first called from
/// them.
void align_call_sites(std::vector<trace::Trace>& runs);

}  // namespace refrain::extrapolate
