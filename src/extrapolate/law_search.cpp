#include "extrapolate/law_search.hpp"

#include <algorithm>
#include <map>

#include "extrapolate/basis.hpp"
#include "extrapolate/call_order.hpp"
#include "extrapolate/doubts.hpp"
#include "extrapolate/list_arguments.hpp"
#include "extrapolate/list_laws.hpp"
#include "extrapolate/listed_values.hpp"
#include "extrapolate/max_block.hpp"
#include "extrapolate/padding.hpp"
#include "merge/table_references.hpp"
#include "scale/at_size.hpp"
#include "trace/expression.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Alternative;
using trace::Doubt;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::RankSet;
using trace::Value;

struct Refused {
  std::string text;
};

/// How the place of what is said about a stream begins.
std::string layer_text(const trace::Stream& s) {
  return s.layer.empty() ? "" : std::string(scale::in_layer) + s.layer + ", ";
}

class StreamLaws final : private LawSource {
 public:
  explicit StreamLaws(LawSearch& search)
      : unified_(search.unified),
        finder_(search.finder),
        mode_(search.mode),
        survey_(search.survey),
        doubts_(search.doubts),
        constants_(search.constants) {}

  void stream(trace::Stream& s, const RankSet& everyone) {
    const RankSet own = s.ranks.empty() ? everyone : s.ranks;
    where_ = layer_text(s);
    law_ = RankExpression::constant(1);
    finder_.prefer_grids({});
    s.ranks = ranks(own, everyone, "who has the stream");
    number(s.prefix, own, "prefix");
    list(s.nodes, own);
  }

 private:
  /// `in_order`: the nodes are executed one after the other, and not one of them.
  void list(std::vector<Node>& nodes, const RankSet& around, bool in_order = true) {
    std::vector<Sibling> siblings;
    for (Node& node : nodes) {
      const RankSet own = node.ranks.empty() ? around : node.ranks;
      RankExpression outside = law_;
      GridNeeds::Grids grids_outside = enter_node();
      std::string name =
          node.kind == NodeKind::event ? unified_.trace.signatures[node.signature].function : "loop";
      node.ranks = ranks(own, around, name + ", " + std::string(which_ranks));
      if (node.ranks.law()) law_ = *node.ranks.law();
      siblings.push_back({name, own, node.ranks.law() ? law_ : RankExpression::constant(1)});
      if (node.kind == NodeKind::loop) loop(node, own);
      if (node.kind == NodeKind::choice) value(node.count, own, "order of phases", true);
      if (node.kind == NodeKind::event) event(node, own);
      if (node.kind != NodeKind::loop) list(node.body, own, node.kind != NodeKind::choice);
      law_ = outside;
      leave_node(grids_outside);
    }
    if (mode_ == SearchMode::decide && in_order)
      doubt_order(siblings, unified_.sizes.back(), {.where = where_, .ranks = law_}, doubts_);
  }

  /// Grids are those of the node, if it shows them, or else of what it is in.
  GridNeeds::Grids enter_node() {
    GridNeeds::Grids outside = grids_;
    if (mode_ == SearchMode::learn) {
      survey_.enter();
    } else if (GridNeeds::Grids own = survey_.grids(nodes_++); own.dimensions != 0) {
      finder_.prefer_grids(grids_ = own);
    }
    return outside;
  }
  void leave_node(const GridNeeds::Grids& grids_outside) {
    if (mode_ == SearchMode::learn) survey_.leave();
    finder_.prefer_grids(grids_ = grids_outside);
  }

  /// A loop over pieces turns as often as there are pieces.
  void loop(Node& node, const RankSet& ranks) {
    loops_.enter(node.count, ranks);
    pieces_.resize(loops_.size());
    list(node.body, ranks);
    loops_.leave();
    std::optional<RankExpression> length = std::move(pieces_.back());
    pieces_.pop_back();
    bool of_pieces =
        length && node.count.form == Form::affine && holds(*length, sequence_of(node.count.base, ranks));
    if (of_pieces)
      node.count = Value{.base = Number(*length)};
    else
      value(node.count, ranks, std::string(number_of_iterations), false);
  }

  void event(Node& node, const RankSet& ranks) {
    list_arguments(node, ranks);
    const trace::Signature signature = unified_.trace.signatures[node.signature];
    std::vector<bool> refers(node.parameters.size(), false);
    for (trace::OperandKind kind : {trace::OperandKind::text, trace::OperandKind::long_list})
      trace::for_references(signature, kind, [&](size_t p) { refers[p] = true; });
    trace::for_references(signature, trace::OperandKind::text, [&](size_t p) {
      padding(node, p, ranks, signature.function + ", " + parameter_name(signature, p));
    });
    const std::vector<bool> sizes =
        where_.empty() ? std::vector<bool>(node.parameters.size(), false) : transfer_sizes(signature);
    for (size_t p = 0; p < node.parameters.size(); ++p) {
      Value& v = node.parameters[p];
      std::string what = signature.function + ", " + parameter_name(signature, p);
      int64_t seen = sizes[p] && v.form == Form::affine ? largest(sequence_of(v.base, ranks)) : 0;
      value(v, ranks, what, refers[p]);
      const RankExpression* law = v.form == Form::affine && v.slopes.empty() ? v.base.expression() : nullptr;
      if (seen > 0 && law && law->depends_on(trace::Variable::nprocs))
        doubts_.push_back({where_ + what, beyond_all_runs,
                           RankExpression::less(RankExpression::constant(seen), *law), RankExpression(),
                           law_});
    }
  }

  /// Names that differ only in how their numbers are padded become one.
  void padding(Node& node, size_t p, const RankSet& ranks, const std::string& what) {
    std::optional<PaddedName> name =
        padded_name(names_at(node, p, ranks, unified_), unified_.trace.templates);
    if (!name) return;
    node.parameters[p] = Value{.base = Number(name->text)};
    if (name->other)
      doubts_.push_back({where_ + what, "another law fits all runs as well for how numbers are padded",
                         *name->width, *name->other, law_});
  }

  void value(Value& v, const RankSet& ranks, const std::string& what, bool refers) {
    if (v.form == Form::by_rank && !refers && as_power(v, ranks, what)) return;
    if ((v.form == Form::by_rank || may_be_pieces(v)) && !refers && by_index(v, ranks, what)) return;
    if (v.form == Form::by_rank) return alternatives(v, ranks, what, refers);
    if (!refers && !v.entries.empty() && (v.form == Form::column || v.form == Form::separable))
      lists(v, ranks, what);
    auto each = [&](Number& n) { refers ? category(n, ranks, what) : number(n, ranks, what); };
    each(v.base);
    number(v.step, ranks, what);
    for (Number& n : v.slopes) slope(n, ranks, what);
    for (Number& n : v.entries) each(n);
    while (!v.slopes.empty() && v.slopes.back() == 0) v.slopes.pop_back();
  }

  /// Two pieces of different sizes look like a line, and whole ones like a constant.
  bool may_be_pieces(const Value& v) const {
    return v.form == Form::affine && loops_.size() > 0 &&
           (v.base.table() ||
            std::any_of(v.slopes.begin(), v.slopes.end(), [](const Number& n) { return !(n == 0); }));
  }

  void alternatives(Value& v, const RankSet& around, const std::string& what, bool refers) {
    RankExpression unknown = RankExpression::constant(1);
    for (Alternative& a : v.alternatives) {
      const RankSet own = a.ranks;
      RankExpression outside = law_;
      a.ranks = this->ranks(own, around, what + ", " + std::string(which_ranks));
      if (a.ranks.law())
        law_ = *a.ranks.law();
      else
        a.ranks = RankSet::where(RankExpression::constant(1));
      value(a.value, own, what, refers);
      law_ = outside;
      unknown =
          RankExpression::both(unknown, RankExpression::equal(*a.ranks.law(), RankExpression::constant(0)));
    }
    if (!unknown.is_constant(0))
      doubts_.push_back({where_ + what, "none of the forms that it has in the runs is meant for it", unknown,
                         RankExpression(), law_});
  }

  /// Values over the index of a loop that have a law together, whatever the form of each.
  bool by_index(Value& v, const RankSet& ranks, const std::string& what) {
    auto all = listed(v, ranks, unified_, loops_);
    if (all && is_one_number(all->lists)) {
      v = Value{.base = Number(all->lists[0].elements[0])};
      slopes_of(*all, v, what);
      return true;
    }
    auto law = all ? law_of_pieces(all->lists, *this, what) : nullptr;
    if (all && !law && v.form != Form::affine) law = law_of_lines(all->lists, *this, what);
    size_t certain = doubts_.size();
    if (all && !law && v.form == Form::by_rank) law = law_of_same(all->lists, *this, what);
    if (all && !law && v.form != Form::affine) law = law_of_turned(all->lists, *this, what);
    if (all && !law && v.form != Form::affine) law = law_of_rows(all->lists, *this, what);
    if (!law) doubts_.erase(doubts_.begin() + static_cast<std::ptrdiff_t>(certain), doubts_.end());
    if (!law) return false;
    pieces_[all->depth] = law->length;
    v = Value{.form = Form::separable, .depth = all->depth, .law = std::move(law)};
    slopes_of(*all, v, what);
    return true;
  }

  void slopes_of(const ListedValue& all, Value& v, const std::string& what) {
    for (const Sequence& slope : all.slopes)
      v.slopes.push_back(slope.series.empty() ? Number(0) : number_of(law_of(slope, what)));
    while (!v.slopes.empty() && v.slopes.back() == 0) v.slopes.pop_back();
  }

  /// A value that is a power where its loop turns often enough to see it.
  bool as_power(Value& v, const RankSet& ranks, const std::string& what) {
    auto seen = std::find_if(v.alternatives.begin(), v.alternatives.end(),
                             [](const Alternative& a) { return a.value.form == Form::power; });
    if (seen == v.alternatives.end()) return false;
    auto all = listed(v, ranks, unified_, loops_);
    auto law = all ? law_of_powers(all->lists, seen->value.ratio, *this, what) : std::nullopt;
    if (!law) return false;
    v = Value{.form = Form::power,
              .base = number_of(law->base),
              .step = number_of(law->factor),
              .depth = all->depth,
              .ratio = seen->value.ratio};
    slopes_of(*all, v, what);
    return true;
  }

  /// Lists stand as their numbers; see unify.hpp.
  void lists(Value& v, const RankSet& ranks, const std::string& what) {
    std::vector<PlacedList> all = lists_at(v.entries[1], ranks, unified_);
    const std::vector<int64_t>& first = all[0].elements;
    bool same = true, one_length = first.size() <= 4096;
    for (const PlacedList& list : all) {
      same &= list.elements == first;
      one_length &= list.elements.size() == first.size();
    }
    if (!same && !one_length && by_index(v, ranks, what)) return;
    v.entries.clear();
    if (same)
      v.column = std::make_shared<const trace::Column>(trace::Column::of(first));
    else if (one_length)
      for (size_t k = 0; k < first.size(); ++k) v.entries.push_back(element_of(all, k));
    else
      v.law = law_of_same(all, *this, what);
    if (!same && !one_length && !v.law) refuse_lists(all, what);
  }

  /// Lists that arguments of a call are, where not all runs have lists of the same length.
  void list_arguments(Node& node, const RankSet& ranks) {
    trace::Signature s = unified_.trace.signatures[node.signature];
    if (!has_law_lists(s)) return;
    std::vector<Value> parameters;
    size_t at = 0;
    auto take = [&](trace::Operand& o) {
      size_t first = at;
      at += o.parameters();
      if (o.kind == trace::OperandKind::law_list)
        list_argument(node.parameters[first], ranks, s.function + ", " + parameter_name(s, first), o,
                      parameters);
      else
        for (size_t p = first; p < at; ++p) parameters.push_back(node.parameters[p]);
      if (o.kind == trace::OperandKind::law_names)
        for (size_t p = first; p < at; ++p)
          refuse_in_loops(node.parameters[p], s.function + ", " + parameter_name(s, p));
    };
    const trace::Signature original = s;
    for (trace::Operand& o : s.operands) take(o);
    take(s.result);
    node.parameters = std::move(parameters);
    if (s == original) return;
    unified_.trace.signatures.push_back(std::move(s));
    node.signature = static_cast<uint32_t>(unified_.trace.signatures.size() - 1);
  }

  /// A list that is equally long everywhere stays part of the call, with a law for each element.
  void list_argument(const Value& v, const RankSet& ranks, const std::string& what, trace::Operand& o,
                     std::vector<Value>& parameters) {
    refuse_in_loops(v, what);
    std::vector<PlacedList> all = lists_at(v.base, ranks, unified_);
    size_t length = all[0].elements.size();
    bool one_length = length <= trace::Operand::max_width &&
                      std::all_of(all.begin(), all.end(),
                                  [&](const PlacedList& list) { return list.elements.size() == length; });
    if (one_length) {
      o = {.kind = trace::OperandKind::list, .role = o.role, .width = static_cast<uint32_t>(length)};
      for (size_t k = 0; k < length; ++k) parameters.push_back({.base = element_of(all, k)});
      return;
    }
    SharedListLaw law = law_of_arguments(all, *this, what);
    if (!law && mode_ == SearchMode::decide) refuse_lists(all, what);
    if (!law) law = std::make_shared<const trace::ListLaw>();
    parameters.push_back({.base = number_of(law->length)});
    parameters.push_back({.base = number_of(law->element)});
  }

  void refuse_in_loops(const Value& v, const std::string& what) const {
    bool fixed = std::all_of(v.slopes.begin(), v.slopes.end(), [](const Number& n) {
      return n == 0 || n == Unified::unknown_slope || n == Value::any_slope;
    });
    if (v.form != Form::affine || !fixed)
      throw Refused{where_ + what +
                    ": no law for a list whose length depends on the number of ranks, in a loop"};
  }

  static Number number_of(const RankExpression& e) {
    return e.is_constant() ? Number(e.number()) : Number(e);
  }

  [[noreturn]] void refuse_lists(const std::vector<PlacedList>& all, const std::string& what) const {
    throw Refused{where_ + what +
                  ": no law for lists whose length depends on the number of ranks: " + lists_text(all)};
  }

  void slope(Number& n, const RankSet& ranks, const std::string& what) {
    if (n.is_constant() && n.constant() == Unified::unknown_slope) n = Value::any_slope;
    number(n, ranks, what);
  }

  void number(Number& n, const RankSet& ranks, const std::string& what) {
    if (n.is_constant() && n.constant() > 1) constants_.insert(n.constant());
    if (!n.table()) return;
    Sequence s = sequence_of(n, ranks);
    if (s.series.empty()) {
      n = Value::any_slope;
      return;
    }
    n = Number(law_of(s, what));
    if (n.is_constant() && n.constant() > 1) constants_.insert(n.constant());
  }

  /// A number that means nothing by itself: which of several strings, lists or phases. Each has a condition.
  void category(Number& n, const RankSet& ranks, const std::string& what) {
    if (!n.table()) return;
    Sequence s = sequence_of(n, ranks);
    std::map<int64_t, size_t> often;
    for (const Series& series : s.series)
      for (int64_t v : series.values) ++often[v];
    std::vector<int64_t> order;
    for (auto [v, times] : often) order.push_back(v);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return often[a] > often[b]; });
    if (order.size() > 8)
      throw Refused{where_ + what + ": " + std::to_string(order.size()) +
                    " different strings or lists, and no law for which of them"};
    RankExpression law = RankExpression::constant(order[0]);
    for (size_t i = 1; i < order.size(); ++i) {
      Sequence mask = s;
      mask.condition = true;
      for (Series& series : mask.series)
        for (int64_t& v : series.values) v = v == order[i];
      law = RankExpression::select(law_of(mask, what + ", " + std::string(which_string)),
                                   RankExpression::constant(order[i]), law);
    }
    n = Number(law);
  }

  /// Who of those around runs something, as a law; an empty set if all do.
  RankSet ranks(const RankSet& own, const RankSet& around, const std::string& what) {
    if (own.size() == around.size()) return {};
    Sequence s{.condition = true};
    for (uint32_t p : around.expand())
      s.add(unified_.places[p].nprocs, unified_.places[p].rank, own.contains(p));
    return RankSet::where(law_of(s, what));
  }

  Sequence sequence_of(const Number& n, const RankSet& ranks) const {
    Sequence s;
    std::vector<uint32_t> members = ranks.expand();
    for (size_t k = 0; k < members.size(); ++k) {
      int64_t v = n.at(members[k], k);
      if (v != Unified::unknown_slope && v != Value::any_slope)
        s.add(unified_.places[members[k]].nprocs, unified_.places[members[k]].rank, v);
    }
    return s;
  }

  bool has_law(const Sequence& s) override {
    if (s.series.empty()) return true;
    const LawFinder::Found& found = finder_.find(s);
    return !found.laws.empty() && !is_far_fetched(found, s);
  }

  void cut_at(int64_t block) override { finder_.cut_at(block); }

  /// Doubts are about ranks: those about the first places are taken to be about these, and once more about
  /// the last places, where there are more of them.
  RankExpression law_of_places(const Sequence& s, const RankExpression& length,
                               const std::string& what) override {
    RankExpression outside = law_;
    size_t known = doubts_.size();
    bool varies = length.depends_on(trace::Variable::rank);
    law_ = varies ? RankExpression::constant(1) : RankExpression::less(RankExpression::rank(), length);
    RankExpression law = law_of(s, what);
    law_ = outside;
    RankExpression from_end = length - RankExpression::constant(1) - RankExpression::rank();
    for (size_t i = known, end = doubts_.size(); i < end && !varies; ++i) {
      Doubt last = doubts_[i];
      for (RankExpression* e : {&last.chosen, &last.other})
        *e = scale::substituted(*e, trace::Variable::rank, from_end);
      if (!(last.chosen == doubts_[i].chosen && last.other == doubts_[i].other))
        doubts_.push_back(std::move(last));
    }
    return law;
  }

  RankExpression law_of(const Sequence& s, const std::string& what) override {
    const LawFinder::Found& found = finder_.find(s);
    if (mode_ == SearchMode::learn) survey_.look_at(found.laws, finder_.knowledge().features);
    if (found.laws.empty() && mode_ == SearchMode::learn) return {};
    if (found.laws.empty())
      throw Refused{
          where_ + what + ": no law for " + values_text(s) +
          "; tried lines, points, steps, curves, shifts, shares with remainders, groups, digits of "
          "grids, conditions and exceptions with numbers that are constants, multiples, shares, roots, "
          "logarithms and grid extents of P"};
    const Candidate& law = found.laws[0];
    if (is_far_fetched(found, s) && mode_ == SearchMode::decide)
      throw Refused{where_ + what + ": no law for " + values_text(s) + "; the simplest that fits is " +
                    law.law.text() + ", which without the run of the most ranks would be another"};
    add_doubts(found, s, {.where = where_ + what, .ranks = law_}, finder_, doubts_);
    return law.law;
  }

  Unified& unified_;
  LawFinder& finder_;
  SearchMode mode_;
  GridSurvey& survey_;
  std::vector<Doubt>& doubts_;
  std::set<int64_t>& constants_;
  size_t nodes_ = 0;          ///< that were entered
  GridNeeds::Grids grids_{};  ///< of what is being looked at; none: those of the trace
  std::string where_;
  RankExpression law_;                                 ///< who runs what is being looked at
  Loops loops_;                                        ///< around it
  std::vector<std::optional<RankExpression>> pieces_;  ///< how many of them each of the loops goes through
};

}  // namespace

std::optional<std::string> search_laws(trace::Stream& stream, const RankSet& everyone, LawSearch& search) {
  try {
    StreamLaws(search).stream(stream, everyone);
  } catch (const Refused& refused) {
    return refused.text;
  }
  return {};
}

std::optional<std::string> refuse_early(const trace::Stream& stream, const RankSet& everyone,
                                        const Unified& unified) {
  auto call = call_with_other_lists(stream.nodes, stream.ranks.empty() ? everyone : stream.ranks, unified);
  if (call) return layer_text(stream) + *call;
  return {};
}

}  // namespace refrain::extrapolate
