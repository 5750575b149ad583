// Renumbering references. A constant reference simply gets a new number. One that varies is an elastic
// value, and an arbitrary change of numbers would destroy its form; there are two exact ways out:
//
//   - the runs of a column are rewritten value by value, as long as its bodies are repeated without shifts:
//     3 x (0, 1, 2) with 0→7, 1→3, 2→4 is 3 x (7, 3, 4);
//   - if a part has any other varying reference (an affine index that could not be untied, see
//     references.hpp; bodies that move), its whole table is
//     appended as one block, equal entries or not, and every reference moves by the block's offset. Each
//     form has a number that can absorb that: 3 + i becomes 40 + i.
//
// Numbers that vary over ranks are rewritten in the same way as lists. A copy of another reference moves with
// what it copies; one that follows it at a distance, as in "call 0's plus 2", does so only in a block.
#include "merge/renumber.hpp"

#include <algorithm>

#include "merge/table_references.hpp"

namespace refrain::merge {
namespace {

using trace::Column;
using trace::Form;
using trace::Item;
using trace::Node;
using trace::Number;
using trace::OperandKind;
using trace::Signature;
using trace::Value;
using trace::wrap_add;

constexpr uint64_t most_rewritten = uint64_t{1} << 16;

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

bool can_rewrite(const Number& n) { return n.is_constant() || (n.table() && can_rewrite(*n.table())); }

/// Whether the value takes nothing but the elements of a list, or one number per rank.
bool can_rewrite(const Value& v) {
  if (!(Value{.base = 0, .slopes = v.slopes}.is_constant())) return false;
  if (v.form == Form::affine) return can_rewrite(v.base);
  if ((v.form != Form::column && v.form != Form::separable) || !v.base.is_constant()) return false;
  if (!v.entries.empty())
    return std::all_of(v.entries.begin(), v.entries.end(), [](const Number& n) { return can_rewrite(n); });
  return v.column && can_rewrite(*v.column);
}

/// Whether this is made of another reference of the same kind, and so moves when that one does.
bool moves_with_source(const trace::Trace& part, const Value& v, const std::vector<Node>& siblings,
                       OperandKind kind) {
  if (v.form != Form::copy || v.sibling >= siblings.size()) return false;
  const Node& source = siblings[v.sibling];
  return source.kind == trace::NodeKind::event &&
         trace::reference_kind(part.signatures[source.signature], v.parameter) == kind;
}

/// Whether some reference of this kind can't be rewritten one by one.
bool needs_block(const trace::Trace& part, const std::vector<Node>& nodes, OperandKind kind) {
  for (const Node& node : nodes) {
    if (needs_block(part, node.body, kind)) return true;
    if (node.kind != trace::NodeKind::event) continue;
    bool needed = false;
    auto look_at = [&](const Value& v) {
      bool is_equal = v.base == 0 && moves_with_source(part, v, nodes, kind);
      needed |= !can_rewrite(v) && !is_equal;
    };
    trace::for_references(part.signatures[node.signature], kind, [&](size_t at) {
      const Value& v = node.parameters[at];
      if (v.form != Form::by_rank) return look_at(v);
      for (const trace::Alternative& a : v.alternatives) look_at(a.value);
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

template <class Map>
Column::Items rewritten(const Column::Items& items, Map map) {
  Column::Items out;
  for (Item item : items) {
    if (item.body == 0 && item.stride != 0) {
      std::vector<int64_t> values;
      for (uint64_t k = 0; k < item.count; ++k)
        values.push_back(map(wrap_add(item.first, trace::wrap_mul(item.stride, static_cast<int64_t>(k)))));
      const Column runs = Column::of(values);
      for (const Item& run : runs.items()) out.push_back(run);
      continue;
    }
    if (item.body == 0) item.first = map(item.first);
    out.push_back(item);
  }
  return out;
}

/// Replaces every value x of the column by `map(x)`.
template <class Map>
Column rewritten(const Column& column, Map map) {
  std::vector<Column::Items> bodies;
  for (const Column::Items& body : column.bodies()) bodies.push_back(rewritten(body, map));
  return Column(rewritten(column.items(), map), std::move(bodies));
}

template <class Map>
void rewrite(Number& n, Map map) {
  n = n.table() ? Number(rewritten(*n.table(), map)) : Number(map(n.constant()));
}

/// Replaces every value x by `map(x)`; the base becomes part of the list.
template <class Map>
void rewrite(Value& v, Map map) {
  if (v.form == Form::affine) return rewrite(v.base, map);
  int64_t base = v.base.constant();
  auto moved = [&](int64_t x) { return map(wrap_add(x, base)); };
  for (Number& entry : v.entries) rewrite(entry, moved);
  if (v.entries.empty()) v.column = std::make_shared<const Column>(rewritten(*v.column, moved));
  v.base = 0;
}

/// Calls `use` for the value, or for each of its alternatives.
template <class Use>
void for_forms(Value& v, Use use) {
  if (v.form != Form::by_rank) return use(v);
  for (trace::Alternative& a : v.alternatives) use(a.value);
}

template <class T>
Renumbering plan(const trace::Trace& part, OperandKind kind, const std::vector<T>& from, SharedTable<T>& to,
                 const Renumbering* alike) {
  Renumbering map;
  map.as_block = needs_block(part, kind);
  if (alike && alike->as_block == map.as_block) return *alike;
  if (map.as_block)
    map.offset = to.append(from);
  else
    map.numbers.assign(from.size(), -1);
  return map;
}

}  // namespace

Renumberer::Renumberer(const trace::Trace& part, SharedTables& shared, const Renumberer* alike)
    : part_(part),
      shared_(shared),
      templates_(plan(part, OperandKind::text, part.templates, shared.templates,
                      alike ? &alike->templates_ : nullptr)),
      lists_(plan(part, OperandKind::long_list, part.lists, shared.lists, alike ? &alike->lists_ : nullptr)),
      signatures_(alike ? alike->signatures_ : std::vector<int64_t>(part.signatures.size(), -1)) {}

bool Renumberer::serves(const trace::Trace& other) const {
  return templates_.as_block == needs_block(other, OperandKind::text) &&
         lists_.as_block == needs_block(other, OperandKind::long_list);
}

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
  trace::for_references(signature, OperandKind::text, [&](size_t at) {
    for_forms(node.parameters[at], [&](Value& v) {
      if (!moves_with_source(part_, v, siblings, OperandKind::text))
        index(v, templates_, part_.templates, shared_.templates);
    });
  });
  trace::for_references(signature, OperandKind::long_list, [&](size_t at) {
    for_forms(node.parameters[at], [&](Value& v) {
      if (!moves_with_source(part_, v, siblings, OperandKind::long_list))
        index(v, lists_, part_.lists, shared_.lists);
    });
  });
}

template <class T>
void Renumberer::index(Value& value, Renumbering& map, const std::vector<T>& from, SharedTable<T>& to) {
  if (map.as_block) return value.base.shift(map.offset);
  rewrite(value, [&](int64_t old) -> int64_t {
    if (old < 0 || static_cast<uint64_t>(old) >= from.size()) return old;
    int64_t& known = map.numbers[static_cast<size_t>(old)];
    if (known < 0) known = to.number_of(from[static_cast<size_t>(old)]);
    return known;
  });
}

}  // namespace refrain::merge
