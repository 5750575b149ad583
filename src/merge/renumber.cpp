// Renumbering references. A constant reference simply gets a new number. One that varies is an elastic
// value, and an arbitrary change of numbers would destroy its form; there are two exact ways out:
//
//   - the runs of a column are rewritten value by value, as long as its bodies are repeated without shifts:
//     3 x (0, 1, 2) with 0→7, 1→3, 2→4 is 3 x (7, 3, 4);
//   - if a part has any other varying reference (an affine index, bodies that move), its whole table is
//     appended as one block, equal entries or not, and every reference moves by the block's offset. Each
//     form has a number that can absorb that: 3 + i becomes 40 + i.
//
// A copy of another reference moves with what it copies.
#include "merge/renumber.hpp"

#include <algorithm>

namespace refrain::merge {
namespace {

using trace::Column;
using trace::Form;
using trace::Item;
using trace::Node;
using trace::Operand;
using trace::OperandKind;
using trace::Signature;
using trace::Value;
using trace::wrap_add;

constexpr uint64_t most_rewritten = uint64_t{1} << 16;

/// Calls `use(parameter)` for each parameter of `signature` that is a reference of this kind.
template <class Use>
void for_references(const Signature& signature, OperandKind kind, Use use) {
  size_t at = 0;
  for (const Operand& operand : signature.operands) {
    if (operand.kind == kind) use(at);
    at += operand.parameters();
  }
  if (signature.result.kind == kind) use(at);
}

bool is_reference(const Signature& signature, OperandKind kind, size_t parameter) {
  bool found = false;
  for_references(signature, kind, [&](size_t at) { found |= at == parameter; });
  return found;
}

/// Whether values can be replaced one by one: no body is shifted, and sloping runs are short in all.
bool can_rewrite(const Column& column) {
  uint64_t sloping = 0;
  auto look_at = [&](const Column::Items& items) {
    for (const Item& item : items) {
      if (item.body != 0 && (item.first != 0 || item.stride != 0)) return false;
      if (item.body == 0 && item.stride != 0) sloping += std::min(item.count, most_rewritten + 1);
      if (sloping > most_rewritten) return false;
    }
    return true;
  };
  return look_at(column.items()) && std::all_of(column.bodies().begin(), column.bodies().end(), look_at);
}

bool can_rewrite(const Value& v) {
  bool flat = v.form == Form::column ||
              (v.form == Form::separable && Value{.base = 0, .slopes = v.slopes}.is_constant());
  return flat && v.column && can_rewrite(*v.column);
}

/// Whether some reference of this kind can't be rewritten one by one.
bool needs_block(const trace::Trace& part, const std::vector<Node>& nodes, OperandKind kind) {
  for (const Node& node : nodes) {
    if (needs_block(part, node.body, kind)) return true;
    if (node.kind != trace::NodeKind::event) continue;
    bool needed = false;
    for_references(part.signatures[node.signature], kind, [&](size_t at) {
      const Value& v = node.parameters[at];
      if (v.is_constant() || can_rewrite(v)) return;
      const Node* source =
          v.form == Form::copy && v.base == 0 && v.sibling < nodes.size() ? &nodes[v.sibling] : nullptr;
      needed |= !source || source->kind != trace::NodeKind::event ||
                !is_reference(part.signatures[source->signature], kind, v.parameter);
    });
    if (needed) return true;
  }
  return false;
}

bool needs_block(const trace::Trace& part, OperandKind kind) {
  for (const trace::Process& process : part.processes)
    for (const trace::Stream& stream : process.streams)
      if (needs_block(part, stream.nodes, kind)) return true;
  return false;
}

void shift_column(Value& v, int64_t by) {
  if (by == 0) return;
  Column::Items items = v.column->items();
  for (Item& item : items) item.first = wrap_add(item.first, by);
  v.column = std::make_shared<const Column>(std::move(items), v.column->bodies());
}

void shift(Value& v, int64_t by) {
  if (v.form == Form::column)
    shift_column(v, by);
  else
    v.base = wrap_add(v.base, by);
}

template <class Number>
Column::Items rewritten(const Column::Items& items, Number number) {
  Column::Items out;
  for (Item item : items) {
    if (item.body == 0 && item.stride != 0) {
      std::vector<int64_t> values;
      for (uint64_t k = 0; k < item.count; ++k)
        values.push_back(number(wrap_add(item.first, trace::wrap_mul(item.stride, static_cast<int64_t>(k)))));
      Column::Items runs = Column::of(values).items();
      out.insert(out.end(), runs.begin(), runs.end());
      continue;
    }
    if (item.body == 0) item.first = number(item.first);
    out.push_back(item);
  }
  return out;
}

/// Replaces every value x of the column (plus the base of a separable value) by `number(x)`.
template <class Number>
void rewrite_column(Value& v, Number number) {
  int64_t base = v.form == Form::separable ? v.base : 0;
  auto moved = [&](int64_t x) { return number(wrap_add(x, base)); };
  std::vector<Column::Items> bodies;
  for (const Column::Items& body : v.column->bodies()) bodies.push_back(rewritten(body, moved));
  v.column = std::make_shared<const Column>(rewritten(v.column->items(), moved), std::move(bodies));
  v.base = 0;
}

template <class T>
Renumbering plan(const trace::Trace& part, OperandKind kind, const std::vector<T>& from, SharedTable<T>& to) {
  Renumbering map;
  map.as_block = needs_block(part, kind);
  if (map.as_block)
    map.offset = to.append(from);
  else
    map.numbers.assign(from.size(), -1);
  return map;
}

}  // namespace

Renumberer::Renumberer(const trace::Trace& part, SharedTables& shared)
    : part_(part),
      shared_(shared),
      templates_(plan(part, OperandKind::text, part.templates, shared.templates)),
      lists_(plan(part, OperandKind::long_list, part.lists, shared.lists)),
      signatures_(part.signatures.size(), -1) {}

void Renumberer::apply(std::vector<Node>& nodes) {
  for (Node& node : nodes) {
    if (node.kind == trace::NodeKind::event)
      event(node, nodes);
    else
      apply(node.body);
  }
  for (Node& node : nodes) {
    if (node.kind != trace::NodeKind::event) continue;
    int64_t& number = signatures_[node.signature];
    if (number < 0) number = shared_.signatures.number_of(part_.signatures[node.signature]);
    node.signature = static_cast<uint32_t>(number);
  }
}

void Renumberer::event(Node& node, const std::vector<Node>& siblings) {
  const Signature& signature = part_.signatures[node.signature];
  auto moves_with_source = [&](const Value& v, OperandKind kind) {
    return v.form == Form::copy &&
           is_reference(part_.signatures[siblings[v.sibling].signature], kind, v.parameter);
  };
  for_references(signature, OperandKind::text, [&](size_t at) {
    if (!moves_with_source(node.parameters[at], OperandKind::text))
      index(node.parameters[at], templates_, part_.templates, shared_.templates);
  });
  for_references(signature, OperandKind::long_list, [&](size_t at) {
    if (!moves_with_source(node.parameters[at], OperandKind::long_list))
      index(node.parameters[at], lists_, part_.lists, shared_.lists);
  });
}

template <class T>
void Renumberer::index(Value& value, Renumbering& map, const std::vector<T>& from, SharedTable<T>& to) {
  if (map.as_block) return shift(value, map.offset);
  auto number = [&](int64_t old) {
    if (old < 0 || static_cast<uint64_t>(old) >= from.size()) return old;
    int64_t& known = map.numbers[static_cast<size_t>(old)];
    if (known < 0) known = to.number_of(from[static_cast<size_t>(old)]);
    return known;
  };
  if (value.is_constant())
    value.base = number(value.base);
  else
    rewrite_column(value, number);
}

}  // namespace refrain::merge
