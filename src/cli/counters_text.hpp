// Counters of accesses for people and for scripts; `info --counters` and `diff --counters` share them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/output.hpp"
#include "compare/counters.hpp"
#include "measure/accesses.hpp"

namespace refrain::cli {

/// A column for reads and one for writes of each layer.
void print_accesses(const measure::Accesses& accesses, Output& out);

/// The counters that differ, with both values.
void print_different(const std::vector<compare::CounterPair>& pairs, Output& out);
nlohmann::json different_json(const std::vector<compare::CounterPair>& pairs);

}  // namespace refrain::cli
