// Everything that a report shows of one run, as JSON: the totals and tables of `refrain info --json`, and the
// trace in short.
#pragma once

#include <string>

#include "base/result.hpp"
#include "report/info_json.hpp"

namespace refrain::report {

/// `ranks`: the number of ranks to look at a scale-free trace at; 0: as such, by its laws.
Result<Json> run_data(const trace::Trace& trace, const std::string& name, uint32_t ranks);

}  // namespace refrain::report
