// See law_lists.hpp.
#include "scale/law_lists.hpp"

#include <algorithm>

#include "scale/at_size.hpp"
#include "trace/name_list.hpp"

namespace refrain::scale {

using namespace trace;

namespace {

constexpr int64_t longest = int64_t{1} << 20;
constexpr uint64_t most_elements = uint64_t{1} << 22;  ///< of all lists together

RankExpression expression_of(const Value& v) {
  return v.base.expression() ? *v.base.expression() : RankExpression::constant(v.base.constant());
}

RankExpression at_place(const RankExpression& element, int64_t k) {
  return substituted(element, Variable::index, RankExpression::constant(k));
}

}  // namespace

Result<void> LawLists::write_out(Node& event, const Node& free, const RankSet& ranks) {
  const Signature law = out_.signatures[free.signature];
  Signature s = law;
  std::vector<Value> parameters;
  std::vector<uint32_t> members = ranks.expand();
  size_t at = 0;
  auto take = [&](Operand& operand) -> Result<void> {
    size_t first = at;
    at += operand.parameters();
    if (operand.kind == OperandKind::law_list)
      return one({expression_of(free.parameters[first]), expression_of(free.parameters[first + 1])}, members,
                 operand, parameters);
    if (operand.kind == OperandKind::law_names) {
      std::vector<RankExpression> counts;
      for (size_t p = first; p < at; ++p) counts.push_back(expression_of(free.parameters[p]));
      return names(counts, members, operand);
    }
    for (size_t p = first; p < at; ++p) parameters.push_back(std::move(event.parameters[p]));
    return {};
  };
  for (Operand& operand : s.operands)
    if (auto taken = take(operand); !taken) return taken;
  if (auto taken = take(s.result); !taken) return taken;
  if (s.parameters() > Signature::max_parameters)
    return fail(ErrorKind::limit, law.function + " would have too many numbers");
  event.signature = signature(s);
  event.parameters = std::move(parameters);
  return {};
}

void LawLists::finish() {
  auto lose = [](Operand& o) {
    if (o.kind == OperandKind::law_list) o.kind = OperandKind::long_list;
    if (o.kind == OperandKind::law_names) o = {.kind = OperandKind::name, .text = "[]"};
  };
  for (Signature& s : out_.signatures) {
    for (Operand& operand : s.operands) lose(operand);
    lose(s.result);
  }
}

Result<void> LawLists::one(const Law& law, const std::vector<uint32_t>& ranks, Operand& operand,
                           std::vector<Value>& parameters) {
  auto length = at_size(law.length, nprocs_);
  if (!length) return tl::unexpected(length.error());
  std::vector<int64_t> lengths(ranks.size());
  length->evaluate(ranks, lengths);
  auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  if (*least < 0 || *most > longest)
    return fail(ErrorKind::limit,
                "a list would have " + std::to_string(*least < 0 ? *least : *most) + " elements");
  if (*least == *most && *most <= Operand::max_width) {
    operand.kind = OperandKind::list;
    operand.width = static_cast<uint32_t>(*most);
    for (int64_t k = 0; k < *most; ++k) {
      auto element = at_size(at_place(law.element, k), nprocs_);
      if (!element) return tl::unexpected(element.error());
      parameters.push_back(
          {.base = element->is_constant() ? Number(element->number()) : Number(std::move(*element))});
    }
    return {};
  }
  operand.kind = OperandKind::long_list;
  if (auto last = at_size(at_place(law.element, *most - 1), nprocs_); !last)
    return tl::unexpected(last.error());
  bool same = *least == *most && !law.element.depends_on(Variable::rank);
  std::vector<int64_t> numbers;
  for (size_t k = 0; k < (same ? 1 : ranks.size()); ++k) {
    auto number = number_of(law, lengths[k], ranks[k]);
    if (!number) return tl::unexpected(number.error());
    numbers.push_back(*number);
  }
  bool one_for_all = std::all_of(numbers.begin(), numbers.end(), [&](int64_t n) { return n == numbers[0]; });
  parameters.push_back({.base = one_for_all ? Number(numbers[0]) : Number(Column::of(numbers))});
  return {};
}

/// Names are part of what a call is, so they can't differ between ranks.
Result<void> LawLists::names(const std::vector<RankExpression>& counts, const std::vector<uint32_t>& ranks,
                             Operand& operand) {
  auto known = name_runs("[" + operand.text + "]");
  if (!known || known->size() != counts.size()) return fail(ErrorKind::bad_input, "names that can't be read");
  NameList list;
  for (size_t i = 0; i < counts.size(); ++i) {
    auto count = at_size(counts[i], nprocs_);
    if (!count) return tl::unexpected(count.error());
    std::vector<int64_t> repeats(ranks.size());
    count->evaluate(ranks, repeats);
    if (std::any_of(repeats.begin(), repeats.end(), [&](int64_t n) { return n != repeats[0]; }))
      return fail(ErrorKind::limit, "a list has other names on other ranks");
    if (repeats[0] < 0 || repeats[0] > longest)
      return fail(ErrorKind::limit, "a list would have " + std::to_string(repeats[0]) + " names");
    list.add((*known)[i].name, static_cast<uint64_t>(repeats[0]));
  }
  operand = {.kind = OperandKind::name, .role = operand.role, .text = list.finish()};
  if (operand.text.size() >= NameList::longest_word)
    return fail(ErrorKind::limit, "the names of a list would be too long");
  return {};
}

/// The number of a rank's list among those of the trace.
Result<int64_t> LawLists::number_of(const Law& law, int64_t length, uint32_t rank) {
  elements_ += static_cast<uint64_t>(length);
  if (elements_ > most_elements)
    return fail(ErrorKind::limit,
                "lists would have more than " + std::to_string(most_elements) + " elements");
  std::vector<int64_t> list;
  for (int64_t k = 0; k < length; ++k)
    list.push_back(law.element.at(RankExpression::Point{.rank = rank, .nprocs = nprocs_, .index = k}));
  auto [known, added] = lists_.try_emplace(list, static_cast<int64_t>(out_.lists.size()));
  if (added) out_.lists.push_back(Column::of(list));
  return known->second;
}

uint32_t LawLists::signature(const Signature& s) {
  ByteWriter code;
  s.write(code);
  std::string key(code.bytes().begin(), code.bytes().end());
  auto [known, added] = signatures_.try_emplace(key, static_cast<uint32_t>(out_.signatures.size()));
  if (added) out_.signatures.push_back(s);
  return known->second;
}

}  // namespace refrain::scale
