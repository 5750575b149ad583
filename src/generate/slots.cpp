#include "generate/slots.hpp"

#include <algorithm>

#include "generate/refusal.hpp"
#include "plan/arguments.hpp"

namespace refrain::generate {
namespace {

using trace::Node;
using trace::Operand;
using trace::OperandKind;

constexpr int64_t most_slots = 1 << 16;

/// Whether the call takes a list of such handles; these must be elements of an array.
bool takes_list_of(const trace::Signature& s, std::string_view handle_class) {
  const api::Row* row = plan::find_row(s.layer, s.function);
  return row != nullptr &&
         std::any_of(row->arguments.begin(), row->arguments.end(), [&](const api::Argument& a) {
           const api::KindFacts& facts = api::facts_of(a.kind);
           return facts.use == api::Use::several && api::facts_of(facts.handle).name == handle_class;
         });
}

/// Whether the call writes elements whose contents are known.
bool writes_contents(const trace::Signature& s) {
  if (!api::traits_of(s.function).has(api::Trait::writes_elements)) return false;
  return std::any_of(s.operands.begin(), s.operands.end(), [](const Operand& o) {
    return o.kind == OperandKind::list || o.kind == OperandKind::long_list || o.kind == OperandKind::law_list;
  });
}

bool takes_types(const trace::Signature& s) {
  const api::Row* row = plan::find_row(s.layer, s.function);
  return row != nullptr &&
         std::any_of(row->arguments.begin(), row->arguments.end(),
                     [](const api::Argument& a) { return api::form_of(a.kind) == api::Form::handle_list; });
}

/// Whether the call takes datatypes that can't be listed one by one: there are too many, or their number or
/// choice depends on the ranks.
bool computes_types(const trace::Signature& s, const Node& node) {
  if (!takes_types(s)) return false;
  size_t at = 0;
  for (const Operand& operand : s.operands) {
    if (&operand == &s.operands.back() &&
        (operand.kind == OperandKind::long_list || operand.kind == OperandKind::law_list))
      return true;
    for (size_t k = 0; operand.kind == OperandKind::list && k < operand.width; ++k)
      if (!node.parameters[at + k].is_constant()) return true;
    at += operand.parameters();
  }
  return false;
}

std::string declared(std::string_view type, const std::string& name) {
  return std::string(type) + (type.back() == '*' ? "" : " ") + name;
}

}  // namespace

std::string_view handle_type(std::string_view handle_class) {
  return api::facts_of(api::handle_class_named(handle_class)).type;
}

bool Slots::takes_references(const trace::Trace& trace) {
  return std::any_of(trace.signatures.begin(), trace.signatures.end(), [](const auto& s) {
    return api::traits_of(s.function).has(api::Trait::makes_reference) && s.error.empty();
  });
}

void Slots::look(const trace::Trace& trace, const std::vector<Node>& nodes, uint32_t thread) {
  for (const Node& node : nodes) {
    look(trace, node.body, thread);
    if (node.kind != trace::NodeKind::event) continue;
    const trace::Signature& s = trace.signatures[node.signature];
    if (takes_list_of(s, "aio")) used_[{"aio", thread}].computed = true;
    if (takes_list_of(s, "request")) used_[{"request", thread}].computed = true;
    if (writes_contents(s) && takes_references(trace)) used_[{"reference", thread}].computed = true;
    if (computes_types(s, node)) used_[{"mpitype", thread}].computed = true;
    size_t at = 0;
    auto one = [&](const Operand& operand) {
      if (operand.kind == OperandKind::slot && !node.parameters[at].is_constant()) {
        uint32_t maker =
            operand.thread == Operand::own_thread ? thread : static_cast<uint32_t>(operand.thread);
        used_[{operand.text, maker}].computed = true;
      }
      at += operand.parameters();
    };
    for (const Operand& operand : s.operands) one(operand);
    one(s.result);
  }
}

std::string Slots::stem(const Key& key) {
  return key.second == 0 ? key.first : key.first + "_of" + std::to_string(key.second);
}

std::string Slots::variable(std::string_view handle_class, uint32_t thread, const Expression& slot) {
  if (handle_type(handle_class).empty()) throw Refusal{"a handle of an unknown class"};
  Key key{handle_class, thread};
  Used& used = used_[key];
  if (!slot.range.within(0, most_slots - 1)) {
    if (slot.range.high < 0 || !used.computed) throw Refusal{"a handle without a number"};
    int64_t last = std::min(slot.range.high, most_slots - 1);
    used.largest = std::max(used.largest, last);
    return stem(key) + "[slot_of(" + slot.text + ", " + std::to_string(last + 1) + ")]";
  }
  used.largest = std::max(used.largest, slot.range.high);
  if (used.computed) return stem(key) + "[" + slot.text + "]";
  if (!slot.is_constant()) throw Refusal{"a handle that isn't the same everywhere"};
  used.known.insert(slot.range.low);
  return key.first + std::to_string(slot.range.low) + (thread == 0 ? "" : "_of" + std::to_string(thread));
}

std::string Slots::array(std::string_view handle_class, uint32_t thread) {
  Key key{handle_class, thread};
  used_[key].computed = true;
  return stem(key);
}

std::string Slots::declarations() const {
  std::map<std::string_view, std::string> lines;  // by type
  for (const auto& [key, used] : used_) {
    std::string_view type = handle_type(key.first);
    std::string& line = lines[type];
    std::string_view star = type.back() == '*' ? "*" : "";
    auto name = [&](const std::string& text) {
      line += (line.empty() ? "static " + declared(type, text) : ", " + std::string(star) + text);
    };
    if (used.computed) name(stem(key) + "[" + std::to_string(used.largest + 1) + "]");
    if (used.computed) continue;
    for (int64_t slot : used.known)
      name(key.first + std::to_string(slot) + (key.second == 0 ? "" : "_of" + std::to_string(key.second)));
  }
  std::string text;
  for (const auto& [type, line] : lines)
    if (!line.empty()) text += line + ";\n";
  return text;
}

}  // namespace refrain::generate
