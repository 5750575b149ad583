#include "compare/event_match.hpp"

#include <algorithm>

#include "trace/text.hpp"

namespace refrain::compare {
namespace {

using trace::Column;
using trace::Operand;
using trace::OperandKind;
using trace::Role;
using trace::Signature;

/// An operand with its parameters.
struct Operation {
  const trace::Trace& trace;
  const Operand& operand;
  std::span<const int64_t> parameters;

  std::string text() const {
    Signature alone{.operands = {operand}};
    std::string call = event_text(trace, alone, parameters);
    return call.substr(1, call.size() - 2);
  }
};

bool is_list(OperandKind kind) { return kind == OperandKind::list || kind == OperandKind::long_list; }

/// The elements of a list, or nothing if its number means nothing.
std::optional<Column> elements(const Operation& o) {
  if (o.operand.kind == OperandKind::list)
    return Column::of(std::vector<int64_t>(o.parameters.begin(), o.parameters.end()));
  int64_t number = o.parameters[0];
  if (number < 0 || static_cast<uint64_t>(number) >= o.trace.lists.size()) return {};
  return o.trace.lists[static_cast<size_t>(number)];
}

/// Compares the operands of two calls one after the other.
class Matcher {
 public:
  Matcher(const Meanings& meanings, const Call& here, const Call& there)
      : meanings_(meanings),
        calls_{here, there},
        signatures_{&meanings.trace(Side::here).signatures[here.signature],
                    &meanings.trace(Side::there).signatures[there.signature]} {}

  std::optional<Mismatch> run() {
    const Signature &a = *signatures_[0], &b = *signatures_[1];
    if (a.function != b.function || a.layer != b.layer)
      return Mismatch{.kind = Mismatch::Kind::function, .values = {name(0), name(1)}};
    size_t common = std::min(a.operands.size(), b.operands.size());
    for (size_t k = 0; k < common; ++k) {
      if (!same(a.operands[k], b.operands[k])) {
        found_.kind = Mismatch::Kind::argument;
        found_.argument = static_cast<uint32_t>(k + 1);
        return found_;
      }
      at_[0] += a.operands[k].parameters();
      at_[1] += b.operands[k].parameters();
    }
    if (a.operands.size() != b.operands.size())
      return Mismatch{.kind = Mismatch::Kind::number_of_arguments,
                      .values = {std::to_string(a.operands.size()), std::to_string(b.operands.size())}};
    if (a.error == b.error && same(a.result, b.result)) return {};
    if (meanings_.race(Side::here, calls_[0].signature) && meanings_.race(Side::there, calls_[1].signature))
      return {};
    return Mismatch{.kind = Mismatch::Kind::result, .values = {outcome(0), outcome(1)}};
  }

 private:
  std::string name(size_t side) const { return trace::plain_name(signatures_[side]->function); }

  Operation operation(size_t side, const Operand& operand) const {
    return {meanings_.trace(static_cast<Side>(side)), operand,
            calls_[side].parameters.subspan(at_[side], operand.parameters())};
  }

  /// `4096`, `ENOENT`, or `nothing`.
  std::string outcome(size_t side) const {
    const Signature& s = *signatures_[side];
    std::string text = s.result.kind == OperandKind::none ? "" : operation(side, s.result).text();
    if (!s.error.empty()) text += (text.empty() ? "" : " ") + trace::plain_name(s.error);
    return text.empty() ? "nothing" : text;
  }

  bool same(const Operand& a, const Operand& b) {
    Operation x = operation(0, a), y = operation(1, b);
    if (is_list(a.kind) && is_list(b.kind)) return same_lists(x, y);
    if (a.kind == OperandKind::text && b.kind == OperandKind::text) {
      bool path = names_files(*signatures_[0]);
      if (meanings_.filled(Side::here, x.parameters.data(), a.width, path) ==
          meanings_.filled(Side::there, y.parameters.data(), b.width, path))
        return true;
    } else if (a.kind == b.kind && a.text == b.text && a.thread == b.thread &&
               std::equal(x.parameters.begin(), x.parameters.end(), y.parameters.begin(),
                          y.parameters.end())) {
      return true;
    }
    found_ = {.meaning = meaning(a), .values = {x.text(), y.text()}};
    return false;
  }

  bool same_lists(const Operation& x, const Operation& y) {
    auto a = elements(x), b = elements(y);
    if (!a || !b) {
      found_ = {.meaning = "list", .values = {x.text(), y.text()}};
      return !a && !b && x.parameters[0] == y.parameters[0];
    }
    Column::Cursor p(*a), q(*b);
    for (uint64_t k = 1; !p.done() && !q.done(); ++k) {
      int64_t v = p.next(), w = q.next();
      if (v == w) continue;
      found_ = {
          .element = k, .meaning = meaning(x.operand), .values = {std::to_string(v), std::to_string(w)}};
      return false;
    }
    found_ = {.meaning = "length of the list",
              .values = {std::to_string(a->size()), std::to_string(b->size())}};
    return a->size() == b->size();
  }

  std::string meaning(const Operand& o) const {
    switch (o.role) {
      case Role::offset:
        return "offset";
      case Role::size:
        return "size";
      case Role::extent:
        return "extent";
      case Role::bytes_read:
        return "bytes read";
      case Role::bytes_written:
        return "bytes written";
      case Role::plain:
        break;
    }
    if (o.kind == OperandKind::text) return names_files(*signatures_[0]) ? "path" : "string";
    return o.kind == OperandKind::slot ? trace::plain_name(o.text) : "";
  }

  const Meanings& meanings_;
  std::array<Call, 2> calls_;
  std::array<const Signature*, 2> signatures_;
  std::array<size_t, 2> at_{};
  Mismatch found_;
};

}  // namespace

bool same_at_a_glance(const Meanings& meanings, const Call& here, const Call& there) {
  uint32_t common = meanings.signature(Side::here, here.signature);
  if (common != meanings.signature(Side::there, there.signature)) return false;
  const auto& kinds = meanings.parameters(common);
  for (size_t i = 0; i < kinds.size(); ++i)
    if (meanings.value(Side::here, kinds[i], here.parameters[i]) !=
        meanings.value(Side::there, kinds[i], there.parameters[i]))
      return false;
  return true;
}

std::optional<Mismatch> mismatch(const Meanings& meanings, const Call& here, const Call& there) {
  return Matcher(meanings, here, there).run();
}

}  // namespace refrain::compare
