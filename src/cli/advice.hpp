// Which runs to make, as `extrapolate` and commands that meet doubts print it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/output.hpp"
#include "extrapolate/advise.hpp"

namespace refrain::cli {

/// "8, 16, 27"
std::string ranks_text(const std::vector<uint32_t>& sizes);

/// What `--max` and `--only` allow; an empty condition is true.
Result<extrapolate::Recordable> recordable_runs(uint32_t most, const std::string& only);

/// Those to begin with, or to make besides one or two that are there.
int print_first_runs(std::vector<uint32_t> sizes, const extrapolate::Recordable& recordable, Output& out);

/// Those that settle what is in doubt: at one number of ranks, or (0) anywhere.
int print_further_runs(const trace::Trace& trace, uint32_t at, const extrapolate::Recordable& recordable,
                       Output& out);

/// The same as a sentence; empty if nothing is in doubt.
std::string further_runs_text(const trace::Trace& trace, std::optional<uint32_t> at,
                              const extrapolate::Recordable& recordable);

/// What to do if a number has no law.
std::string what_may_help(const std::vector<uint32_t>& sizes, const extrapolate::Recordable& recordable);
/// The run that may show one; none if no further run says more.
std::vector<uint32_t> run_without_laws(const std::vector<uint32_t>& sizes,
                                       const extrapolate::Recordable& recordable);

}  // namespace refrain::cli
