// When I/O happened, in short, for the page: at most 128 rows and bins, however many ranks there were.
#pragma once

#include "report/info_json.hpp"

namespace refrain::report {

/// {"bin_ns", "lead_ns", "bins", "rows": [{"ranks", "count", "cells": [[bin, kind, bytes, ns], …]}, …]},
/// kinds as in trace::HeatKind, lead_ns as in measure::HeatView; null if the trace has no heat map.
Json heat_rows(const trace::Trace& trace);

}  // namespace refrain::report
