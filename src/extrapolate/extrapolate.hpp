// Runs of one program at several numbers of ranks become one trace that holds for any number.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "extrapolate/laws.hpp"
#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// Fewer runs say too little: any two points lie on a line.
constexpr size_t fewest_runs = 3;

/// A scale-free trace that gives each of the runs, event by event; that is checked. What has no exact law is
/// an error that says which event and argument, its values, and what was tried. Times are
/// fitted (times.hpp), and no more than estimates. Runs of different programs, or with different arguments,
/// are bad input unless all that they do follows laws without a doubt.
Result<trace::Trace> extrapolate(std::vector<trace::Trace> runs, const Options& options = {});

}  // namespace refrain::extrapolate
