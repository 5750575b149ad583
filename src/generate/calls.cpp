// Statements of calls; see calls.hpp.
#include "generate/calls.hpp"

#include <algorithm>

#include "api/steps.hpp"
#include "generate/call_arguments.hpp"
#include "generate/refusal.hpp"
#include "plan/file_calls.hpp"

namespace refrain::generate {
namespace {

using api::Kind;
using plan::GivenArgument;
using trace::OperandKind;

/// The text in parentheses, if it needs them as an operand.
std::string enclosed(const std::string& text) {
  return text.find_first_of(" ?*+-/%<>&|") == std::string::npos ? text : "(" + text + ")";
}

std::string filled(CallArguments& arguments, std::string_view form) {
  std::string out;
  while (!form.empty()) {
    size_t open = std::min(form.find('{'), form.size());
    out += form.substr(0, open);
    if (open == form.size()) break;
    size_t close = form.find('}', open);
    std::string text = arguments.text(form.substr(open + 1, close - open - 1));
    bool is_operand = out.ends_with('*') || form.substr(close + 1).find_first_of("* ") == 0;
    out += is_operand ? enclosed(text) : text;
    form.remove_prefix(close + 1);
  }
  return out;
}

std::string call_text(CallArguments& arguments) {
  const api::Row& row = *arguments.plan().row;
  if (auto by_hand = api::steps_of(row.name).text; !by_hand.empty()) return filled(arguments, by_hand);
  if (!row.is_function) throw Refusal{"uses an object that was made before recording began"};
  std::string out;
  for (const GivenArgument& g : arguments.plan().arguments) {
    std::string text = arguments.text(g);
    if (text.empty()) continue;  // left out by the caller, too
    out += (out.empty() ? "" : ", ") + text;
  }
  return std::string(row.name) + "(" + out + ")";
}

/// The number of bytes to read; waits for them if another rank or thread writes them.
std::string awaited_data(CallArguments& arguments, const std::string& bytes) {
  const plan::CallPlan& plan = arguments.plan();
  const GivenArgument* handle = arguments.awaited_handle();
  if (handle == nullptr) return bytes;
  if (handle->argument->kind == Kind::stream)
    return "stream_data_there(" + arguments.text(*handle) + ", " + bytes + ")";
  std::string at = "-1";
  for (const GivenArgument& g : plan.arguments)
    if (g.argument->kind == Kind::offset) at = arguments.text(g);
  std::string how = handle->argument->kind == Kind::mpi_file ? "mpi_data_there(" : "data_there(";
  return how + arguments.text(*handle) + ", " + at + ", " + bytes + ")";
}

/// The recorded outcome, for macros that compare it with the present one; empty for other macros.
std::string expected_of(CallArguments& arguments, const std::string& macro) {
  bool compares = macro.ends_with("_READ") || macro == "POSIX_COPY" || macro == "POSIX_RETURN";
  if (!compares) return {};
  if (!arguments.signature().error.empty()) return "0, ";
  bool in_data = macro == "STDIO_ITEMS_READ" || macro == "STDIO_TEXT_READ" || macro == "MPIIO_READ";
  return awaited_data(arguments, arguments.brought(in_data)) + ", ";
}

/// The macro of the runtime that makes calls of a layer and checks results of this kind.
std::string macro_of(const api::Row& row) {
  if (auto by_hand = api::steps_of(row.name).check; !by_hand.empty()) return std::string(by_hand);
  std::string layer(api::layer_named(row.layer).check);
  return plan::tells_bytes_read(row) ? layer + "_READ" : layer + std::string(api::facts_of(row.result).check);
}

bool asks_whether_done(const plan::CallPlan& plan) {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(),
                     [](const GivenArgument& g) { return g.argument->kind == Kind::out_flag; });
}

/// Whether files of a layer are opened in turns.
bool takes_turns(const CallContext& context, std::string_view layer) {
  return std::any_of(context.awaited.begin(), context.awaited.end(), [&](const auto& path) {
    return path.second == plan::Awaited::turn && context.trace.signatures[path.first.first].layer == layer;
  });
}

}  // namespace

std::string call_statement(const CallContext& context, const Place& place) {
  CallArguments arguments(context, place);
  const plan::CallPlan& plan = arguments.plan();
  std::string macro = macro_of(*plan.row);
  bool works = arguments.signature().error.empty();
  if (plan.row->is(api::Trait::closes_file) && works && takes_turns(context, arguments.signature().layer))
    return "LEFT(" + arguments.text(plan.arguments[0]) + ", " + macro + "(" + call_text(arguments) + "));";
  std::string call = call_text(arguments);  // first: it gives sizes their names
  std::string before = expected_of(arguments, macro);
  if (macro.starts_with("STDIO_ITEMS")) before += arguments.text("size") + ", ";
  std::string text = macro + "(" + before + call + ")";
  if (!arguments.signature().error.empty()) text = "FAIL(" + text + ")";
  if (plan::may_end_otherwise(context.races, place.node->signature, arguments.signature()))
    text = "RACE(" + text + ")";
  bool assigns = arguments.signature().result.kind == OperandKind::slot && plan::is_made_as_result(*plan.row);
  if (assigns) text = arguments.made() + " = " + text;
  if (works && plan::opens_format(arguments.signature()) && takes_turns(context, arguments.signature().layer))
    text = "HELD(" + arguments.made() + ", " + text + ")";
  return asks_whether_done(plan) ? "do " + text + "; while (!request_done);" : text + ";";
}

}  // namespace refrain::generate
