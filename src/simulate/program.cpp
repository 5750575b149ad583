// See program.hpp.
#include "simulate/program.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "api/table.hpp"
#include "simulate/rank_groups.hpp"
#include "trace/at_rank.hpp"

namespace refrain::simulate {

using namespace trace;
using measure::AccessRule;

namespace {

using api::Trait;

/// Calls that ask the metadata server something.
constexpr api::Traits metadata_traits{
    Trait::opens_file,      Trait::closes_file,  Trait::removes_file,       Trait::removes_folder,
    Trait::renames_file,    Trait::links_file,   Trait::makes_symlink,      Trait::reads_symlink,
    Trait::asks_about_file, Trait::takes_folder, Trait::changes_attributes, Trait::sets_attribute,
    Trait::sets_size,       Trait::tells_size,   Trait::lists_folder};

CallFacts facts_of(const Signature& s, const AccessRule& rule) {
  CallFacts facts{.rule = rule};
  api::Traits traits = api::traits_of(s.function);
  facts.opens_file = traits.has(Trait::opens_file) && rule.made && s.error.empty();
  facts.closes_file = traits.has(Trait::closes_file);
  facts.moves_together = traits.has(Trait::moves_together);
  bool has_views = api::layer_named(s.layer).has_typed_buffers;
  facts.sets_view = has_views && traits.has(Trait::keeps_distances) && rule.offset != AccessRule::absent;
  uint32_t at = 0;
  for (const Operand& o : s.operands) {
    if (o.kind == OperandKind::slot && o.text == "plist") facts.lists.push_back(at);
    if (o.kind == OperandKind::name && o.text.find("H5FD_MPIO_COLLECTIVE") != std::string::npos)
      facts.marks_together = true;
    if (o.kind == OperandKind::slot && at == rule.handle.parameter)
      facts.is_attribute = api::handle_class_named(o.text) == api::HandleClass::h5_attribute;
    at += o.parameters();
  }
  facts.marks_together &= !facts.lists.empty();
  bool is_data = rule.effect == AccessRule::Effect::data && rule.handle;
  facts.has_offset = is_data && rule.offset != AccessRule::absent && (rule.positioned || has_views);
  if (is_data)
    facts.kind = CallFacts::Kind::data;
  else if (traits.has(Trait::is_barrier))
    facts.kind = CallFacts::Kind::barrier;
  else if (traits.has_any(metadata_traits))
    facts.kind = CallFacts::Kind::metadata;
  return facts;
}

/// The number in a hint: a template that is nothing but digits.
uint64_t hint_value(const Trace& trace, const Node& node, uint32_t parameter) {
  const Value& number = node.parameters[parameter];
  if (!number.is_constant() || number.constant_value() < 0 ||
      static_cast<uint64_t>(number.constant_value()) >= trace.templates.size())
    return 0;
  const Template& t = trace.templates[static_cast<size_t>(number.constant_value())];
  std::vector<int64_t> fields;
  for (size_t i = 0; i < t.fields() && parameter + 1 + i < node.parameters.size(); ++i) {
    const Value& field = node.parameters[parameter + 1 + i];
    if (!field.is_constant()) return 0;
    fields.push_back(field.constant_value());
  }
  if (fields.size() != t.fields()) return 0;
  std::string text = t.fill(fields.data());
  uint64_t value = 0;
  auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
  return end == text.data() + text.size() ? value : 0;
}

bool is_word(const Trace& trace, const Value& v, std::string_view word) {
  if (!v.is_constant() || v.constant_value() < 0) return false;
  auto number = static_cast<uint64_t>(v.constant_value());
  return number < trace.templates.size() && trace.templates[number].fields() == 0 &&
         trace.templates[number].literals[0] == word;
}

/// Hints for collective buffering, given by a call that takes a key and a value.
void read_hints(const Trace& trace, const std::vector<Node>& nodes, Program& program) {
  for (const Node& node : nodes) {
    read_hints(trace, node.body, program);
    if (node.kind != NodeKind::event) continue;
    const Signature& s = trace.signatures[node.signature];
    uint32_t at = 0;
    std::vector<uint32_t> texts;
    for (const Operand& o : s.operands) {
      if (o.kind == OperandKind::text) texts.push_back(at);
      at += o.parameters();
    }
    if (texts.size() != 2 || node.parameters.size() <= texts[1]) continue;
    const Value& key = node.parameters[texts[0]];
    if (is_word(trace, key, "cb_nodes"))
      program.aggregators =
          static_cast<uint32_t>(std::min<uint64_t>(hint_value(trace, node, texts[1]), 1U << 24U));
    if (is_word(trace, key, "cb_buffer_size"))
      program.buffer_bytes = std::min<uint64_t>(hint_value(trace, node, texts[1]), uint64_t{1} << 40U);
  }
}

const Stream* layer_stream(const Process& process, const Stream& outer, const std::string& layer) {
  for (const Stream& stream : process.streams)
    if (stream.layer == layer && stream.thread == outer.thread) return &stream;
  return nullptr;
}

/// How often the rank carries out something other than computing; loops whose number of turns varies count as
/// one turn.
uint64_t count_operations(const Program& program, const std::vector<Node>& nodes, uint32_t rank) {
  uint64_t count = 0;
  for (const Node& node : nodes) {
    if (!node.ranks.empty() && !node.ranks.contains(rank)) continue;
    if (node.kind == NodeKind::event) {
      count += program.calls[node.signature].kind != CallFacts::Kind::compute ? 1 : 0;
      continue;
    }
    bool is_known =
        node.kind == NodeKind::loop && node.count.is_constant() && node.count.constant_value() >= 0;
    count += count_operations(program, node.body, rank) *
             (is_known ? static_cast<uint64_t>(node.count.constant_value()) : 1);
  }
  return count;
}

}  // namespace

bool CallFacts::matters(size_t parameter) const {
  bool is_bytes = parameter >= rule.bytes && parameter - rule.bytes < rule.byte_parameters;
  bool is_path = parameter > rule.path && parameter - rule.path <= rule.path_fields;
  bool is_place =
      rule.effect != AccessRule::Effect::none && (parameter == rule.offset || parameter == rule.result);
  return (kind == Kind::data && is_bytes) || (opens_file && is_path) || is_place;
}

Result<Program> make_program(const Trace& trace, const ProgramOptions& options) {
  Program program{.trace = &trace, .layer = options.layer};
  std::vector<AccessRule> rules = measure::access_rules(trace.signatures);
  for (size_t i = 0; i < rules.size(); ++i) program.calls.push_back(facts_of(trace.signatures[i], rules[i]));
  auto matters = [&](const Node& node, size_t i) { return program.calls[node.signature].matters(i); };
  uint64_t first_start = UINT64_MAX;
  for (const Process& process : trace.processes) first_start = std::min(first_start, process.start_ns);
  uint64_t ranks = 0;
  for (const Process& process : trace.processes) {
    for (const Stream& outer : process.streams) {
      if (!outer.layer.empty()) continue;
      Group group{.process = &process, .outer = &outer};
      group.start_s = static_cast<double>(process.start_ns - first_start) / 1e9;
      if (!options.layer.empty()) group.layer = layer_stream(process, outer, options.layer);
      std::vector<const Stream*> streams{&outer};
      if (group.layer != nullptr) streams.push_back(group.layer);
      read_hints(trace, outer.nodes, program);
      for (std::vector<uint32_t>& members : group_ranks(ranks_of(outer, process), streams, matters)) {
        if (!outer.ranks.empty() && !outer.ranks.contains(members.front())) continue;
        group.operations = 0;
        for (const Stream* stream : streams)
          group.operations += count_operations(program, stream->nodes, members.front());
        size_t step = options.detail ? 1 : members.size();
        for (size_t i = 0; i < members.size(); i += step) {
          group.ranks.assign(members.begin() + static_cast<std::ptrdiff_t>(i),
                             members.begin() + static_cast<std::ptrdiff_t>(i + step));
          program.groups.push_back(group);
        }
      }
    }
    ranks = std::max<uint64_t>(ranks, process.ranks.empty() ? 1 : uint64_t{process.ranks.last()} + 1);
  }
  if (program.groups.empty()) return fail(ErrorKind::bad_input, "has no events to simulate");
  program.ranks = static_cast<uint32_t>(std::max<uint64_t>(ranks, trace.nprocs));
  return program;
}

}  // namespace refrain::simulate
