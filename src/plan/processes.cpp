#include "plan/processes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plan/threads.hpp"
#include "trace/text.hpp"

namespace refrain::plan {
namespace {

using trace::Process;
using trace::Trace;

constexpr size_t most_named = 6;

std::string list(const Trace& trace, const std::vector<size_t>& processes) {
  std::string text;
  for (size_t n = 0; n < std::min(processes.size(), most_named); ++n) {
    std::string_view program = trace.processes[processes[n]].program;
    text += fmt::format("{}{} {}", n == 0 ? "" : ", ", processes[n],
                        trace::quoted(program.substr(program.rfind('/') + 1)));
  }
  return processes.size() > most_named ? text + " …" : text;
}

}  // namespace

bool starts_mpi(const Trace& trace, const Process& process) {
  return std::any_of(process.streams.begin(), process.streams.end(), [&](const trace::Stream& s) {
    return s.layer.empty() && find_call(trace, s.nodes, api::Trait::starts_mpi);
  });
}

Result<size_t> choose_process(const Trace& trace, std::optional<size_t> asked, std::optional<uint32_t> rank) {
  if (asked) {
    if (*asked < trace.processes.size()) return *asked;
    return fail(ErrorKind::usage, fmt::format("the trace has no process {}", *asked));
  }
  auto of_rank = [&](const Process& p) { return rank && p.ranks.contains(*rank); };
  bool ranked = std::any_of(trace.processes.begin(), trace.processes.end(), of_rank);
  std::vector<size_t> active, parallel;
  for (size_t i = 0; i < trace.processes.size(); ++i) {
    const Process& p = trace.processes[i];
    if (ranked ? !of_rank(p) : rank && !p.ranks.empty()) continue;
    if (std::all_of(p.streams.begin(), p.streams.end(), [](const auto& s) { return s.nodes.empty(); }))
      continue;
    active.push_back(i);
    if (starts_mpi(trace, p)) parallel.push_back(i);
  }
  if (active.size() == 1) return active[0];
  if (parallel.size() == 1) return parallel[0];
  if (active.empty()) return fail(ErrorKind::limit, "the trace holds no calls");
  return fail(ErrorKind::usage,
              fmt::format("the trace holds the calls of {} processes ({}); choose one with --process",
                          active.size(), list(trace, active)));
}

Result<Chosen> choose_processes(const Trace& trace, std::optional<size_t> asked,
                                std::optional<uint32_t> rank) {
  Result<size_t> one = choose_process(trace, asked, rank);
  if (one) return Chosen{*one};
  if (asked || trace.nprocs > 0 || one.error().kind != ErrorKind::usage) return tl::unexpected(one.error());
  Result<trace::ProcessTree> tree = trace::process_tree(trace);
  if (tree) return Chosen{tree->members[0].process, std::move(*tree)};
  Error error = one.error();
  error.message += "; they can't be repeated together: " + tree.error().message;
  return tl::unexpected(error);
}

Result<void> check_repeatable(const Trace& trace) {
  for (const trace::Signature& s : trace.signatures)
    if (api::traits_of(s.function).has(api::Trait::works_in_threads))
      return fail(ErrorKind::limit,
                  fmt::format("the program calls {}: the library then writes files in threads of its own, "
                              "which can't be told from the program's; replay one layer, as in --layer posix",
                              s.function));
  return {};
}

trace::RankSet early_ranks(const Trace& trace) {
  auto parallel = [&](const Process& p) { return starts_mpi(trace, p); };
  bool all = std::none_of(trace.processes.begin(), trace.processes.end(), parallel);
  trace::RankSet ranks;
  for (const Process& p : trace.processes)
    if (all || parallel(p))
      ranks =
          ranks.united(p.ending == trace::Ending::early && p.ended_early.empty() ? p.ranks : p.ended_early);
  return ranks.canonical();
}

}  // namespace refrain::plan
