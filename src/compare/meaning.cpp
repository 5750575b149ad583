// The common numbers: entries are turned into keys that hold all of their meaning, equal keys get one number.
#include "compare/meaning.hpp"

#include <algorithm>
#include <unordered_map>

#include "api/table.hpp"
#include "base/hash.hpp"
#include "trace/path_image.hpp"

namespace refrain::compare {
namespace {

using trace::Operand;
using trace::OperandKind;
using trace::Signature;
using trace::Template;

constexpr std::array<Side, 2> sides{Side::here, Side::there};

std::string bytes_of(ByteWriter& out) {
  auto bytes = out.take();
  return {bytes.begin(), bytes.end()};
}

std::string signature_key(Signature s) {
  s.site = 0;
  s.bracket = trace::Bracket::neither;
  for (Operand& operand : s.operands) operand.role = trace::Role::plain;
  s.result.role = trace::Role::plain;
  ByteWriter out;
  s.write(out);
  return bytes_of(out);
}

std::vector<ParameterKind> parameter_kinds(const Signature& s) {
  std::vector<ParameterKind> kinds;
  ParameterKind text = names_files(s) ? ParameterKind::path : ParameterKind::text;
  auto add = [&](const Operand& operand) {
    size_t first = kinds.size();
    kinds.resize(first + operand.parameters(), ParameterKind::number);
    if (operand.kind == OperandKind::text) kinds[first] = text;
    if (operand.kind == OperandKind::long_list) kinds[first] = ParameterKind::list;
  };
  for (const Operand& operand : s.operands) add(operand);
  add(s.result);
  return kinds;
}

/// Depends on a few values only: lists are long, and equal ones are confirmed anyway.
uint64_t list_hash(const trace::Column& list) {
  uint64_t n = list.size(), h = mix64(n);
  for (uint64_t at : {uint64_t{0}, n / 3, n / 2, n - 1})
    if (at < n) h = hash_combine(h, static_cast<uint64_t>(list.at(at)));
  return h;
}

/// Gives equal keys equal numbers.
class Numbering {
 public:
  uint32_t of(std::string key) {
    return numbers_.try_emplace(std::move(key), static_cast<uint32_t>(numbers_.size())).first->second;
  }
  size_t size() const { return numbers_.size(); }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
};

}  // namespace

bool names_files(const Signature& s) {
  const api::Row* row = api::find_row(s.function);
  if (row == nullptr || row->layer != s.layer) {
    const api::LayerFacts& layer = api::layer_named(s.layer);
    return layer.has_files && !layer.has_objects;
  }
  return std::any_of(row->arguments.begin(), row->arguments.end(), [](const api::Argument& argument) {
    api::Form form = api::form_of(argument.kind);
    return form == api::Form::path || form == api::Form::later_path;
  });
}

Meanings::Meanings(const trace::Trace& here, const trace::Trace& there, std::string root,
                   std::array<trace::Races, 2> races)
    : traces_{&here, &there}, root_(std::move(root)), races_(std::move(races)) {
  number_signatures();
  number_templates();
  number_lists();
  for (ParameterKind kind :
       {ParameterKind::number, ParameterKind::text, ParameterKind::path, ParameterKind::list}) {
    const auto &a = table(Side::here, kind), &b = table(Side::there, kind);
    bool same = true;
    for (size_t i = 0; i < std::max(a.size(), b.size()) && same; ++i)
      same = i < a.size() && i < b.size() && a[i] == b[i];
    identical_[static_cast<size_t>(kind)] = same;
  }
}

void Meanings::number_signatures() {
  Numbering numbers;
  for (Side side : sides)
    for (const Signature& s : trace(side).signatures) {
      uint32_t number = numbers.of(signature_key(s));
      signatures_[index(side)].push_back(number);
      if (number == parameters_.size()) parameters_.push_back(parameter_kinds(s));
    }
}

/// Of a path, the template of its image if that can be told for all values of the fields at once, which is
/// so unless there is something to resolve.
std::string Meanings::template_key(Side side, const Template& t, bool is_path) const {
  Template key = t;
  if (is_path && t.literals[0].starts_with('/')) {
    std::vector<int64_t> zeros(t.fields());
    std::string path = t.fill(zeros.data());
    std::string_view root = side == Side::there ? std::string_view(root_) : std::string_view();
    std::string image = trace::path_image(path, root);
    size_t cut = path.size() - std::min(image.size(), path.size());
    if (cut <= t.literals[0].size() && path.substr(cut) == image) key.literals[0].erase(0, cut);
  }
  ByteWriter out;
  key.write(out);
  return bytes_of(out);
}

void Meanings::number_templates() {
  for (bool is_path : {false, true}) {
    Numbering numbers;
    auto& tables = tables_[static_cast<size_t>(is_path ? ParameterKind::path : ParameterKind::text)];
    for (Side side : sides)
      for (const Template& t : trace(side).templates)
        tables[index(side)].push_back(numbers.of(template_key(side, t, is_path)));
  }
}

void Meanings::number_lists() {
  struct Known {
    const trace::Column* list;
    uint32_t number;
  };
  std::unordered_multimap<uint64_t, Known> known;
  auto& tables = tables_[static_cast<size_t>(ParameterKind::list)];
  for (Side side : sides)
    for (const trace::Column& list : trace(side).lists) {
      uint64_t hash = list_hash(list);
      auto [begin, end] = known.equal_range(hash);
      auto found = std::find_if(begin, end, [&](const auto& e) { return e.second.list->same_values(list); });
      uint32_t number = static_cast<uint32_t>(known.size());
      if (found != end)
        number = found->second.number;
      else
        known.emplace(hash, Known{&list, number});
      tables[index(side)].push_back(number);
    }
}

int64_t Meanings::value(Side side, ParameterKind kind, int64_t v) const {
  if (kind == ParameterKind::number) return v;
  const auto& numbers = table(side, kind);
  if (v >= 0 && static_cast<uint64_t>(v) < numbers.size()) return numbers[static_cast<size_t>(v)];
  // A number outside the table means nothing but itself; common numbers have 32 bits.
  constexpr int64_t outside = int64_t{1} << 32;
  return v < 0 || v > INT64_MAX - outside ? v : v + outside;
}

std::string Meanings::filled(Side side, const int64_t* parameters, uint32_t fields, bool is_path) const {
  auto text = text_at(trace(side).templates, {parameters, size_t{fields} + 1}, fields);
  if (!text) return "names[" + std::to_string(parameters[0]) + "]";
  return is_path ? trace::library_image(*text, side == Side::there ? root_ : std::string()) : *text;
}

}  // namespace refrain::compare
