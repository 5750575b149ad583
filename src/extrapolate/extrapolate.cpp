// See extrapolate.hpp. The runs are unified to one tree (unify.cpp), its tables become laws (laws.cpp), and
// what comes out is held against every run.
#include "extrapolate/extrapolate.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "compare/compare.hpp"
#include "extrapolate/max_block.hpp"
#include "extrapolate/one_program.hpp"
#include "extrapolate/unify_runs.hpp"
#include "format/file.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

/// The parallel job of a run, without launchers beside it.
trace::Trace job_alone(const trace::Trace& run) {
  trace::Trace job = run;
  std::erase_if(job.processes, [](const trace::Process& p) { return p.ranks.empty(); });
  return job;
}

std::string difference_text(const compare::Difference& d) {
  std::string text = d.rank ? "rank " + std::to_string(*d.rank) + ", " : "";
  text += "event " + std::to_string(d.event) + ": " + d.calls[0] + " and not " + d.calls[1];
  return text;
}

/// Takes away the streams of a layer.
void leave_out(trace::Trace& trace, const std::string& layer, const std::string& why) {
  for (trace::Process& p : trace.processes)
    std::erase_if(p.streams, [&](const trace::Stream& s) { return s.layer == layer; });
  std::erase_if(trace.doubts, [&](const trace::Doubt& d) {
    return d.where.starts_with(std::string(scale::in_layer) + layer + ", ");
  });
  trace.notes.push_back("left out by extrapolation: layer " + layer + ", " + why);
}

/// The trace with its outer streams and those of one layer; empty: of none.
trace::Trace only(trace::Trace trace, const std::string& layer) {
  for (trace::Process& p : trace.processes)
    std::erase_if(p.streams, [&](const trace::Stream& s) { return !s.layer.empty() && s.layer != layer; });
  return trace;
}

/// The first layer without which the traces can be compared, although they can't with it.
std::optional<std::string> incomparable_layer(const trace::Trace& here, const trace::Trace& job) {
  if (!compare::compare(only(here, ""), only(job, ""))) return std::nullopt;
  for (const trace::Stream& s : here.processes[0].streams)
    if (!s.layer.empty() && !compare::compare(only(here, s.layer), only(job, s.layer), {.layers = true}))
      return s.layer;
  return std::nullopt;
}

/// Whether the trace gives the run, event by event. A layer stream that doesn't is left out; what is done in
/// libraries may depend on the moment.
Result<void> verify(trace::Trace& free, const trace::Trace& run) {
  trace::Trace job = job_alone(run);
  std::string where = "the run of " + std::to_string(run.nprocs) + " ranks";
  for (;;) {
    auto here = scale::at_size(free, run.nprocs);
    if (!here) return tl::unexpected(here.error());
    for (trace::Process& p : job.processes)
      std::erase_if(p.streams, [&](const trace::Stream& s) {
        return !s.layer.empty() &&
               std::none_of(free.processes[0].streams.begin(), free.processes[0].streams.end(),
                            [&](const trace::Stream& kept) { return kept.layer == s.layer; });
      });
    auto compared = compare::compare(*here, job, {.layers = true});
    if (!compared) {
      auto layer = incomparable_layer(*here, job);
      if (!layer) return within(where, compared.error());
      leave_out(free, *layer, where + " is not reproduced: " + compared.error().text());
      continue;
    }
    if (!compared->difference) return {};
    const compare::Difference& d = *compared->difference;
    if (d.layer.empty()) return fail(ErrorKind::limit, "is not reproduced: " + difference_text(d), where);
    leave_out(free, d.layer, where + " is not reproduced: " + difference_text(d));
  }
}

/// The laws of the runs, if need be with all loops joined that may be one.
Result<trace::Trace> laws_of(const std::vector<trace::Trace>& runs, Unified unified, const Options& options) {
  const size_t joined = unified.joined_loops;
  auto free = find_laws(std::move(unified), options);
  if (free) return free;
  auto again = unify(runs, options.times, SplitLoops::all);
  return again && again->joined_loops > joined ? find_laws(std::move(*again), options) : free;
}

tl::unexpected<Error> not_one_program(const std::string& different, const std::string& why) {
  return fail(ErrorKind::bad_input, "not runs of one program with the same arguments: " + different + "; " +
                                        why + " (--force if they are meant)");
}

}  // namespace

Result<trace::Trace> extrapolate(std::vector<trace::Trace> runs, const Options& options) {
  if (runs.size() < fewest_runs)
    return fail(ErrorKind::usage, "at least three runs of different numbers of ranks are needed");
  align_call_sites(runs);
  auto unified = unify(runs, options.times);
  if (!unified) return tl::unexpected(unified.error());
  auto different = options.force ? std::nullopt : different_commands(runs);
  if (different)
    if (auto call = where_runs_part(*unified)) return not_one_program(*different, "they part at " + *call);
  auto free = laws_of(runs, std::move(*unified), options);
  if (different && !free) return not_one_program(*different, free.error().text());
  if (!free) return free;
  if (different && !free->doubts.empty())
    return not_one_program(*different, free->doubts[0].where + ": " + free->doubts[0].reason);
  if (options.max_block > 0) {
    if (auto cut = cut_blocks(*free, options.max_block); !cut) return tl::unexpected(cut.error());
    std::erase_if(free->doubts, [](const trace::Doubt& d) { return d.reason == beyond_all_runs; });
  }
  for (const trace::Trace& run : runs)
    if (auto good = verify(*free, run); !good) return tl::unexpected(good.error());
  if (auto kept = format::decode_raw(format::encode_raw(*free)); !kept)
    return fail(ErrorKind::limit, "laws that are too large to be kept: " + kept.error().text());
  return free;
}

}  // namespace refrain::extrapolate
