#include "generate/anonymize.hpp"

#include <set>

#include "api/hdf5/modules.hpp"
#include "generate/c_text.hpp"
#include "plan/arguments.hpp"

namespace refrain::generate {
namespace {

using api::Kind;
using trace::OperandKind;

/// Letters, and all other characters that can't be punctuation.
bool is_part_of_word(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || byte >= 0x80;
}

constexpr char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr uint64_t letter_count = 52;

/// Strings that don't come from the user's data: hints, properties of lists, filters.
bool names_nothing(const plan::GivenArgument& g, const trace::Signature& s) {
  if (g.argument->kind == Kind::string || g.argument->kind == Kind::mpi_types) return true;
  if (g.argument->kind == Kind::h5_extension) return true;
  if (g.argument->kind != Kind::h5_name) return false;
  api::Hdf5Module module = api::hdf5_module(s.function);
  return module == api::Hdf5Module::property || module == api::Hdf5Module::filter ||
         module == api::Hdf5Module::error;
}

/// Indices of the templates that must not change.
void collect_kept(const trace::Trace& trace, const std::vector<trace::Node>& nodes, std::set<size_t>& kept) {
  for (const trace::Node& node : nodes) {
    collect_kept(trace, node.body, kept);
    if (node.kind != trace::NodeKind::event) continue;
    const trace::Signature& s = trace.signatures[node.signature];
    auto plan = plan::plan_call(s);
    if (!plan) continue;
    for (const plan::GivenArgument& g : plan->arguments) {
      size_t at = g.parameter;
      bool value = g.argument->kind == Kind::h5_attribute_in && g.count == 2 &&
                   s.operands[g.first + 1].kind == OperandKind::text;
      if (value) at += s.operands[g.first].parameters();
      bool string =
          value || (g.count > 0 && s.operands[g.first].kind == OperandKind::text && names_nothing(g, s));
      if (!string) continue;
      const trace::Value& index = node.parameters[at];
      if (index.is_constant()) kept.insert(static_cast<size_t>(index.constant_value()));
    }
  }
}

}  // namespace

std::string NeutralWords::word(const std::string& from) {
  auto [found, fresh] = words_.try_emplace(from);
  if (!fresh) return found->second;
  uint64_t number = given_[from.size()]++;
  std::string neutral(from.size(), 'a');
  for (size_t i = neutral.size(); i-- > 0 && number > 0; number /= letter_count)
    neutral[i] = letters[number % letter_count];
  return found->second = neutral;
}

std::string NeutralWords::text(const std::string& from) {
  std::string out;
  for (size_t at = 0; at < from.size();) {
    size_t end = at;
    while (end < from.size() && is_part_of_word(from[end])) ++end;
    if (end > at) out += word(from.substr(at, end - at));
    if (end < from.size()) out += from[end++];
    at = end;
  }
  return out;
}

trace::Trace anonymized(trace::Trace trace) {
  std::set<size_t> kept;
  for (const trace::Process& process : trace.processes)
    for (const trace::Stream& stream : process.streams) collect_kept(trace, stream.nodes, kept);
  NeutralWords words;
  for (size_t i = 0; i < trace.templates.size(); ++i)
    if (kept.count(i) == 0)
      for (std::string& literal : trace.templates[i].literals) literal = words.text(literal);
  for (trace::Signature& s : trace.signatures) {
    if (s.function.find("xattr") == std::string::npos) continue;
    for (trace::Operand& o : s.operands) {
      size_t dot = o.kind == OperandKind::name ? o.text.find('.') : std::string::npos;
      if (dot != std::string::npos) o.text = o.text.substr(0, dot + 1) + words.text(o.text.substr(dot + 1));
    }
  }
  trace.command = "(a program whose names were replaced)";
  trace.notes.clear();
  for (trace::Process& process : trace.processes) process.program = "kernel";
  return trace;
}

}  // namespace refrain::generate
