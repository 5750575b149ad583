// `refrain diff A B`: are two traces equal, and if not, where do they part? 0 yes, 1 no.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "api/table.hpp"
#include "cli/command.hpp"
#include "cli/counters_text.hpp"
#include "cli/readable.hpp"
#include "cli/result_line.hpp"
#include "cli/sized_trace.hpp"
#include "compare/compare.hpp"
#include "compare/counters.hpp"
#include "format/file.hpp"
#include "plan/inputs.hpp"
#include "trace/expression.hpp"

namespace refrain::cli {

namespace {

using compare::Difference;
using compare::Mismatch;

struct DiffOptions {
  uint32_t ranks = 0;
  std::string files[2];
  bool all = false;
  bool counters = false;
  bool json = false;
  std::string root;
  std::string races = "equal";
};

/// The name of an argument in the prototype, if the row has as many as the call.
std::string argument_name(const Difference& d) {
  for (const api::Row& row : api::rows())
    if (row.name == d.functions[0] && row.layer == d.layers[0] && row.arguments.size() == d.operands[0] &&
        d.operands[0] == d.operands[1])
      return std::string(row.arguments[d.mismatch.argument - 1].name);
  return d.mismatch.meaning;
}

/// `rank 3, thread 1, event 17 of 42`
std::string place(const Difference& d) {
  std::string text = d.rank ? fmt::format("rank {}", *d.rank) : fmt::format("process {}", d.process);
  if (d.thread > 0) text += fmt::format(", thread {}", d.thread);
  if (!d.layer.empty()) text += fmt::format(", layer {}", printable(d.layer));
  if (d.event == 0) return text;
  text += fmt::format(", event {}", grouped(d.event));
  if (d.events[0] && d.events[0] == d.events[1]) text += fmt::format(" of {}", grouped(*d.events[0]));
  return text;
}

std::string event_text(const Difference& d) {
  const Mismatch& m = d.mismatch;
  std::string what = printable(d.functions[0]);
  switch (m.kind) {
    case Mismatch::Kind::function:
      what = "function";
      break;
    case Mismatch::Kind::number_of_arguments:
      what += ", number of arguments";
      break;
    case Mismatch::Kind::result:
      what += ", result";
      break;
    case Mismatch::Kind::argument:
      what += fmt::format(", argument {}", m.argument);
      if (std::string name = argument_name(d); !name.empty()) what += fmt::format(" ({})", name);
      if (m.element) what += fmt::format(", element {}", *m.element);
      break;
  }
  return fmt::format("{}: {}: {} here, {} there", place(d), what, m.values[0], m.values[1]);
}

std::string end_text(const Difference& d) {
  size_t longer = d.present[0] ? 0 : 1;
  const char* side = longer == 0 ? "there" : "here";
  std::string calls =
      d.events[1 - longer] ? counted(*d.events[1 - longer], "event", "events") : "fewer events";
  if (d.kind == Difference::Kind::thread)
    return fmt::format("{}: the thread made no calls {}", place(d), side);
  std::string rest = d.events[longer] ? fmt::format(" of {}", grouped(*d.events[longer])) : "";
  return fmt::format("{}{}: nothing follows {}, after {}", place(d), rest, side, calls);
}

std::string sentence(const Difference& d) {
  switch (d.kind) {
    case Difference::Kind::ranks:
      return fmt::format("number of ranks: {} here, {} there", d.values[0], d.values[1]);
    case Difference::Kind::processes:
      return fmt::format("number of processes: {} here, {} there", d.values[0], d.values[1]);
    case Difference::Kind::rank:
      return fmt::format("{}: not recorded {}", place(d), d.present[0] ? "there" : "here");
    case Difference::Kind::step:
      return fmt::format("{}: {} here, {} there", place(d), d.values[0], d.values[1]);
    case Difference::Kind::event:
      return event_text(d);
    case Difference::Kind::thread:
    case Difference::Kind::end:
      break;
  }
  return end_text(d);
}

/// `i = 3, j = 1`, with the names that loops have in `dump`.
std::string iteration(const std::vector<int64_t>& indices) {
  std::string text;
  for (size_t depth = 0; depth < indices.size(); ++depth)
    text += fmt::format("{}{} = {}", depth == 0 ? "" : ", ", trace::loop_variable(depth), indices[depth]);
  return text;
}

void print_names(const DiffOptions& options, Output& out) {
  out.line(fmt::format("here is {}, there is {}", printable(options.files[0]), printable(options.files[1])));
}

void print_calls(const Difference& d, Output& out) {
  const char* names[2]{"here", "there"};
  for (size_t side : {0, 1}) {
    if (d.kind < Difference::Kind::thread) continue;
    std::string call = d.calls[side].empty() ? "-" : d.calls[side];
    std::string where = d.indices[side].empty() ? "" : "  # " + iteration(d.indices[side]);
    out.line(fmt::format("  {:<5} {}{}", names[side], call, where));
  }
}

const char* kind_name(const Difference& d) {
  switch (d.kind) {
    case Difference::Kind::ranks:
      return "ranks";
    case Difference::Kind::processes:
      return "processes";
    case Difference::Kind::rank:
      return "rank";
    case Difference::Kind::step:
      return "step";
    case Difference::Kind::thread:
      return "thread";
    case Difference::Kind::end:
      return "end";
    case Difference::Kind::event:
      break;
  }
  switch (d.mismatch.kind) {
    case Mismatch::Kind::function:
      return "function";
    case Mismatch::Kind::number_of_arguments:
      return "number_of_arguments";
    case Mismatch::Kind::argument:
      return "argument";
    case Mismatch::Kind::result:
      break;
  }
  return "result";
}

nlohmann::json difference_json(const Difference& d) {
  nlohmann::json json{{"kind", kind_name(d)}, {"text", sentence(d)}};
  if (d.rank) json["rank"] = *d.rank;
  bool of_event = d.kind >= Difference::Kind::thread;
  bool of_process = d.kind == Difference::Kind::rank || d.kind == Difference::Kind::step;
  if (of_event || of_process) json["process"] = d.process;
  if (!of_event) {
    if (d.kind != Difference::Kind::rank) json["values"] = d.values;
    return json;
  }
  json["thread"] = d.thread;
  json["layer"] = d.layer;
  json["event"] = d.event;
  json["calls"] = d.calls;
  json["functions"] = d.functions;
  json["loop_indices"] = d.indices;
  for (const auto& events : d.events)
    json["events"].push_back(events ? nlohmann::json(*events) : nlohmann::json());
  if (d.kind != Difference::Kind::event) return json;
  json["values"] = d.mismatch.values;
  if (d.mismatch.kind != Mismatch::Kind::argument) return json;
  json["argument"] = d.mismatch.argument;
  json["name"] = argument_name(d);
  if (d.mismatch.element) json["element"] = *d.mismatch.element;
  return json;
}

/// What was compared: `4 ranks, 2,720 calls`. Calls are counted by their times, which one side may not have.
std::string equal_text(const std::array<trace::Trace, 2>& traces, const compare::Comparison& comparison) {
  uint64_t calls = 0;
  for (const trace::Trace& trace : traces) {
    uint64_t here = 0;
    for (const trace::Process& process : trace.processes) here += count_calls(process);
    calls = std::max(calls, here);
  }
  std::string who = traces[0].nprocs > 0 ? counted(traces[0].nprocs, "rank", "ranks")
                                         : counted(comparison.pairs, "process", "processes");
  return fmt::format("equal: {}, {}", who, counted(calls, "call", "calls"));
}

/// Equal as far as recorded is less than equal.
void warn_of_losses(const trace::Trace& trace, const std::string& file) {
  uint64_t lost = 0;
  for (const trace::Process& process : trace.processes) lost += process.loss.total();
  if (lost > 0)
    say(fmt::format("{}: {} LOST when it was recorded", printable(file), counted(lost, "call", "calls")));
}

/// Calls whose outcome is chance, in all processes of a trace.
trace::Races races_of(const trace::Trace& trace) {
  trace::Races races;
  for (const trace::Process& process : trace.processes)
    for (const auto& [signature, race] : plan::find_inputs(trace, process).races) races[signature] = race;
  return races;
}

/// First as if chance had no part in it: most traces are equal then.
Result<compare::Comparison> compared(const std::array<trace::Trace, 2>& traces, const DiffOptions& options,
                                     bool& raced) {
  std::string root = options.root.empty() ? "" : std::filesystem::absolute(options.root).string();
  compare::Options how{.layers = options.all, .root = root};
  auto result = compare::compare(traces[0], traces[1], how);
  if (!result || !result->difference || options.races == "strict") return result;
  for (size_t side : {0, 1}) how.races[side] = races_of(traces[side]);
  if (how.races[0].empty() && how.races[1].empty()) return result;
  auto again = compare::compare(traces[0], traces[1], how);
  raced = again && !again->difference;
  return again;
}

Result<int> diff_events(const std::array<trace::Trace, 2>& traces, const DiffOptions& options, Output& out) {
  bool raced = false;
  auto result = compared(traces, options, raced);
  if (!result) return tl::unexpected(result.error());
  const auto& difference = result->difference;
  for (size_t side : {0, 1}) warn_of_losses(traces[side], options.files[side]);
  if (options.json) {
    nlohmann::json json{{"equal", !difference}};
    if (raced) json["races"] = true;
    if (difference) json["difference"] = difference_json(*difference);
    out.line(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (difference) {
    out.line("different: " + sentence(*difference));
    print_calls(*difference, out);
    print_names(options, out);
  } else {
    out.line(equal_text(traces, *result) +
             (raced ? ", but for who was first at files that several race for (--races strict)" : ""));
  }
  return difference ? 1 : 0;
}

int diff_counters(const std::array<trace::Trace, 2>& traces, const DiffOptions& options, Output& out) {
  std::array<compare::Counters, 2> counters;
  for (size_t side : {0, 1}) {
    counters[side] = compare::counters(traces[side], options.all);
    warn_of_losses(traces[side], options.files[side]);
    if (!counters[side].complete)
      say(printable(options.files[side]) + ": too long to be counted in full: counters are lower bounds");
  }
  auto pairs = compare::different(counters[0], counters[1]);
  if (options.json) {
    nlohmann::json json{{"equal", pairs.empty()}, {"counters", different_json(pairs)}};
    out.line(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (pairs.empty()) {
    out.line("equal: " + counted(counters[0].list.size(), "counter", "counters"));
  } else {
    out.line("different: " + counted(pairs.size(), "counter", "counters"));
    print_different(pairs, out);
    print_names(options, out);
  }
  return pairs.empty() ? 0 : 1;
}

Result<int> diff(const DiffOptions& options, Output& out) {
  std::array<trace::Trace, 2> traces;
  for (size_t side : {0, 1}) {
    auto trace = format::read_file(options.files[side]);
    StreamsUsed used = options.all ? StreamsUsed::all : StreamsUsed::outer;
    if (trace && trace->scale_free())
      trace = sized(std::move(*trace), options.files[side], options.ranks, used);
    if (!trace) return tl::unexpected(trace.error());
    traces[side] = std::move(*trace);
  }
  if (options.counters) return diff_counters(traces, options, out);
  return diff_events(traces, options, out);
}

}  // namespace

void add_diff(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "diff", "Compare two traces, event by event",
                  "refrain diff original.rfn again.rfn\n  refrain diff --root run original.rfn replayed.rfn");
  auto options = std::make_shared<DiffOptions>();
  command->add_option("HERE", options->files[0], "A trace")->required();
  command->add_option("THERE", options->files[1], "The trace to compare it with")->required();
  command->add_flag("--all", options->all, "Compare what other calls caused as well, layer by layer");
  command
      ->add_option("--root", options->root,
                   "Folder in which THERE was run: paths below it are taken relative to it")
      ->type_name("DIR");
  command->add_flag("--counters", options->counters,
                    "Compare counters only: calls by function, bytes, files, kinds and sizes of accesses");
  command
      ->add_option("--races", options->races,
                   "Who was first at a file that ranks race for: equal (default) whoever it was, or strict")
      ->check(CLI::IsMember({"equal", "strict"}));
  command->add_flag("--json", options->json, "As JSON");
  add_ranks_option(*command, options->ranks);
  command->callback([&action, options] { action = [options](Output& out) { return diff(*options, out); }; });
}

}  // namespace refrain::cli
