// See advice.hpp.
#include "cli/advice.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "extrapolate/model_text.hpp"

namespace refrain::cli {
namespace {

constexpr size_t runs_to_begin_with = 4;

}  // namespace

std::string ranks_text(const std::vector<uint32_t>& sizes) {
  std::string text;
  for (uint32_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text;
}

Result<extrapolate::Recordable> recordable_runs(uint32_t most, const std::string& only) {
  extrapolate::Recordable recordable{.most = most};
  if (only.empty()) return recordable;
  Result<trace::RankExpression> condition = extrapolate::read_condition(only);
  if (!condition) return within("--only", condition.error());
  recordable.only = std::move(*condition);
  return recordable;
}

int print_first_runs(std::vector<uint32_t> sizes, const extrapolate::Recordable& recordable, Output& out) {
  size_t there = sizes.size();
  if (there == 0) sizes = extrapolate::advise(recordable);
  while (there > 0 && sizes.size() < runs_to_begin_with) {
    uint32_t next = extrapolate::further_run(sizes, recordable);
    if (next == 0) break;
    sizes.push_back(next);
  }
  if (size_t n = extrapolate::conflicts(sizes); n > 0)
    say(fmt::format("{} of quantities look alike at these numbers of ranks", counted(n, "pair", "pairs")));
  sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(there));
  out.line(ranks_text(sizes));
  return 0;
}

int print_further_runs(const trace::Trace& trace, uint32_t at, const extrapolate::Recordable& recordable,
                       Output& out) {
  std::optional<uint32_t> target = at > 0 ? std::optional(at) : std::nullopt;
  extrapolate::FurtherRuns runs = extrapolate::further_runs(trace, recordable, target);
  say(runs.sizes.empty() && runs.open == 0 ? "nothing is in doubt"
                                           : further_runs_text(trace, target, recordable));
  out.line(ranks_text(runs.sizes));
  return 0;
}

std::string further_runs_text(const trace::Trace& trace, std::optional<uint32_t> at,
                              const extrapolate::Recordable& recordable) {
  extrapolate::FurtherRuns runs = extrapolate::further_runs(trace, recordable, at);
  std::string where = at ? fmt::format("at {} ranks", *at) : "at some numbers of ranks";
  std::string text;
  if (runs.sizes.size() == 1)
    text =
        fmt::format("not everything is certain {}; a run of {} ranks would tell more", where, runs.sizes[0]);
  else if (!runs.sizes.empty())
    text = fmt::format("not everything is certain {}; runs of {} ranks would tell more", where,
                       ranks_text(runs.sizes));
  if (runs.open == 0) return text;
  std::string left = fmt::format("{} would be left open by all runs of up to {} ranks that can be made",
                                 counted(runs.open, "doubt", "doubts"), recordable.most);
  return text.empty() ? left : text + "; " + left;
}

std::vector<uint32_t> run_without_laws(const std::vector<uint32_t>& sizes,
                                       const extrapolate::Recordable& recordable) {
  uint32_t next = extrapolate::further_run(sizes, recordable);
  return next > 0 ? std::vector{next} : std::vector<uint32_t>{};
}

std::string what_may_help(const std::vector<uint32_t>& sizes, const extrapolate::Recordable& recordable) {
  std::vector<uint32_t> next = run_without_laws(sizes, recordable);
  if (next.empty())
    return "These runs tell most laws apart: was one of them made with other options or inputs? --model "
           "gives "
           "a quantity that isn't known";
  return fmt::format("A further run of {} ranks would tell most", next[0]);
}

}  // namespace refrain::cli
