// Counts the accesses of one stream, call by call, in the totals of their layers.
#pragma once

#include <map>

#include "measure/file_positions.hpp"
#include "trace/trace.hpp"

namespace refrain::measure {

/// What is known of the signatures of a trace, for all its streams.
struct AccessTables {
  explicit AccessTables(const trace::Trace& trace);
  std::vector<AccessRule> rules;
  std::vector<uint32_t> totals;     ///< by signature: number of its totals, two per layer, reads first
  std::vector<std::string> layers;  ///< by number
};

class AccessCounter {
 public:
  AccessCounter(const AccessTables& tables, const std::vector<trace::Template>& templates)
      : tables_(tables), files_(templates), totals_(2 * tables.layers.size()) {}

  std::optional<FilePositions::Access> call(uint32_t signature, FilePositions::Parameters parameters) {
    const AccessRule& rule = tables_.rules[signature];
    if (rule.effect == AccessRule::Effect::data)
      return files_.access(rule, parameters, totals_[tables_.totals[signature]]);
    files_.apply(rule, parameters);
    return {};
  }

  const AccessTables& tables() const { return tables_; }
  FilePositions& files() { return files_; }
  std::vector<AccessTotals>& totals() { return totals_; }

 private:
  const AccessTables& tables_;
  FilePositions files_;
  std::vector<AccessTotals> totals_;
};

}  // namespace refrain::measure
