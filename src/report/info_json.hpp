// A trace in totals, as JSON: what `refrain info --json` prints and the report shows.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "measure/accesses.hpp"
#include "measure/file_usage.hpp"
#include "measure/summary.hpp"
#include "report/largest_files.hpp"
#include "trace/trace.hpp"

namespace refrain::report {

using Json = nlohmann::json;

/// Names in a trace may hold any bytes; those that are not UTF-8 become U+FFFD.
std::string text_of(const Json& json, int indent);

Json info_json(const trace::Trace& trace, const measure::Summary& summary);
/// A scale-free trace as such. With a number of ranks, doubts say whether they matter there, and what the
/// laws give.
Json scale_free_json(const trace::Trace& trace, uint32_t ranks = 0);
Json accesses_json(const measure::Accesses& accesses);

/// Files with the objects in them; what each rank did; what each layer was called for, by the program and
/// by layers above.
Json files_json(const measure::Usage& usage);
Json files_json(const LargestFiles& largest);
/// At most so many groups of ranks: those that move most; `left_out` has the figures of the others together.
Json ranks_json(const measure::Usage& usage, size_t most = SIZE_MAX);
Json layers_json(const measure::Summary& summary);

/// How long a scale-free trace takes, as a formula in P, or nothing.
std::string elapsed_text(const trace::Trace& trace);
/// The beginning of the earliest process; 0 if there is none.
uint64_t start_ns(const trace::Trace& trace);
const char* ending_name(trace::Ending ending);

}  // namespace refrain::report
