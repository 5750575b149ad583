// What a replay says of its results.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "replay/player.hpp"
#include "trace/trace.hpp"

namespace refrain::cli {

struct ResultsForm {
  bool json = false;
  std::string_view sandbox{};  ///< how it was
};
void print_results(const replay::Totals& totals, const trace::Trace& trace, const ResultsForm& form,
                   Output& out);

/// Data was missing: where nothing was said when it happened, it is said in the end, by one rank.
void tell_short_reads(const replay::Totals& totals, uint32_t rank, bool lacks_inputs,
                      const std::function<void(const std::string&)>& tell);

}  // namespace refrain::cli
