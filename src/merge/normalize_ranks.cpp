// See normalize.hpp.
#include "merge/normalize_ranks.hpp"

#include <algorithm>

namespace refrain::merge {
namespace {

using trace::Alternative;
using trace::Column;
using trace::Form;
using trace::Item;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::Value;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

constexpr size_t most_runs = 1 << 16;  ///< looked at in a list

/// Whether all values, plus `base`, are at most one.
bool at_most_one(const Column& column, int64_t base) {
  size_t runs = 0;
  for (Column::Cursor cursor(column); !cursor.done();) {
    Item run = cursor.next_run();
    int64_t last = wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(run.count - 1)));
    if (wrap_add(run.first, base) > 1 || wrap_add(last, base) > 1 || ++runs > most_runs) return false;
  }
  return true;
}

bool at_most_one(const Number& n) {
  return n.is_constant() ? n.constant() <= 1 : n.table() && at_most_one(*n.table(), 0);
}

/// Whether a loop with this count runs at most once, every time and on every rank, as far as can be seen.
bool at_most_once(const Value& count) {
  if (count.form == Form::by_rank)
    return std::all_of(count.alternatives.begin(), count.alternatives.end(),
                       [](const Alternative& a) { return at_most_once(a.value); });
  if (count.form == Form::affine)
    return Value{.base = 0, .slopes = count.slopes}.is_constant() && at_most_one(count.base);
  return count.form == Form::column && count.column && count.base.is_constant() &&
         at_most_one(*count.column, count.base.constant());
}

class Normalizer {
 public:
  void list(std::vector<Node>& nodes) {
    for (Node& node : nodes) {
      value(node.count);
      for (Value& v : node.parameters) value(v);
      bool loop = node.kind == NodeKind::loop;
      if (loop) once_.push_back(at_most_once(node.count));
      list(node.body);
      if (loop) once_.pop_back();
    }
  }

 private:
  void value(Value& v) {
    for (Alternative& a : v.alternatives) value(a.value);
    for (size_t d = 0; d < v.slopes.size(); ++d)
      if (v.slopes[d] == Value::any_slope && !(d < once_.size() && once_[d])) v.slopes[d] = 0;
    bool listed = v.form == Form::column || v.form == Form::separable;
    if (!listed || !v.column || v.column->empty()) return;
    int64_t first = v.column->at(0);
    if (first == 0) return;
    v.base.shift(first);
    v.column = std::make_shared<const Column>(v.column->shifted(wrap_sub(0, first)));
  }

  std::vector<bool> once_;  ///< of the loops around the list
};

}  // namespace

void normalize(std::vector<Node>& nodes) { Normalizer().list(nodes); }

}  // namespace refrain::merge
