// See at_size.hpp. Numbers are followed by the range of their values over all ranks: where it leaves 64 bits,
// the trace would wrap around in silence, so it is refused. Expressions with tables have no range and pass.
#include "scale/at_size.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/wide.hpp"
#include "format/consistency.hpp"
#include "scale/estimate_times.hpp"
#include "scale/law_lists.hpp"
#include "scale/ranks_where.hpp"

namespace refrain::scale {

using namespace trace;

namespace {

/// Least and greatest value; nothing if it isn't known.
struct Range {
  Wide low = 0, high = 0;
};
using MaybeRange = std::optional<Range>;

struct TooLarge {};
struct BadCount {
  std::string text;
};

MaybeRange around(std::initializer_list<Wide> corners) {
  Range range{*std::min_element(corners.begin(), corners.end()),
              *std::max_element(corners.begin(), corners.end())};
  if (range.low < INT64_MIN || range.high > INT64_MAX) throw TooLarge{};
  return range;
}

/// The same operation on other operands.
RankExpression rebuilt(const RankExpression& e, const RankExpression& a, const RankExpression& b,
                       const RankExpression& c) {
  switch (e.operation()) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / e.number();
    case Operation::modulo:
      return a % e.number();
    case Operation::minimum:
      return RankExpression::minimum(a, b);
    case Operation::exclusive_or:
      return a ^ b;
    case Operation::bit_and:
      return a & b;
    case Operation::power_of_two:
      return RankExpression::power_of_two(a);
    case Operation::power:
      return RankExpression::power(e.number(), a);
    case Operation::less:
      return RankExpression::less(a, b);
    case Operation::at_least:
      return RankExpression::at_least(a, b);
    case Operation::equal:
      return RankExpression::equal(a, b);
    case Operation::both:
      return RankExpression::both(a, b);
    case Operation::select:
      if (a.is_constant()) return a.is_constant(0) ? c : b;
      return RankExpression::select(a, b, c);
    case Operation::linear:
      return RankExpression::linear(e.table(), a);
    case Operation::table:
      return RankExpression::lookup(e.table(), a);
    case Operation::prefix_sum:
      return RankExpression::prefix_sum(e.table(), a);
    case Operation::quotient:
      return RankExpression::quotient(a, b);
    case Operation::remainder:
      return RankExpression::remainder(a, b);
    case Operation::root:
      return RankExpression::root(a, e.number());
    case Operation::logarithm:
      return RankExpression::logarithm(a);
    case Operation::grid:
      return RankExpression::grid(a, e.number() / 4, e.number() % 4);
    case Operation::divisor:
      return RankExpression::divisor(a, b);
    case Operation::constant:
    case Operation::variable:
      break;
  }
  return e;
}

/// An expression at a number of ranks, and its range.
class Resolver {
 public:
  Resolver(int64_t nprocs, int64_t index) : nprocs_(nprocs), index_(index) {}

  struct Resolved {
    RankExpression e;
    MaybeRange range;
  };

  Resolved resolve(const RankExpression& e) const {
    if (e.is_constant()) return constant(e.number());
    if (e.operation() == Operation::variable) return variable(static_cast<Variable>(e.number()));
    std::array<Resolved, 3> x;
    for (size_t i = 0; i < e.operands(); ++i) x[i] = resolve(e.operand(i));
    MaybeRange range = range_of(e, x);
    if (range && range->low == range->high) return constant(static_cast<int64_t>(range->low));
    RankExpression out = folded(e, x);
    if (out.is_constant()) return constant(out.number());
    return {std::move(out), range};
  }

 private:
  static Resolved constant(int64_t value) { return {RankExpression::constant(value), Range{value, value}}; }

  Resolved variable(Variable which) const {
    if (which == Variable::nprocs) return constant(nprocs_);
    if (which == Variable::index) return constant(index_);
    return {RankExpression::rank(), Range{0, nprocs_ - 1}};
  }

  /// Of a comparison that holds everywhere, or nowhere.
  static Range truth(bool always, bool never) { return {always ? 1 : 0, never ? 0 : 1}; }

  static MaybeRange range_of(const RankExpression& e, const std::array<Resolved, 3>& x) {
    const MaybeRange &a = x[0].range, &b = x[1].range, &c = x[2].range;
    switch (e.operation()) {
      case Operation::add:
        return a && b ? around({a->low + b->low, a->high + b->high}) : std::nullopt;
      case Operation::subtract:
        return a && b ? around({a->low - b->high, a->high - b->low}) : std::nullopt;
      case Operation::multiply:
        return a && b ? around({wide_product(a->low, b->low), wide_product(a->low, b->high),
                                wide_product(a->high, b->low), wide_product(a->high, b->high)})
                      : std::nullopt;
      case Operation::divide:
        return a ? around({a->low / e.number(), a->high / e.number()}) : std::nullopt;
      case Operation::quotient:
        return a ? around({a->low, a->high, 0, -a->low, -a->high}) : std::nullopt;
      case Operation::modulo:
        return Range{a && a->low >= 0 ? 0 : 1 - Wide{e.number()}, Wide{e.number()} - 1};
      case Operation::remainder:
        return a ? around({a->low, a->high, 0}) : std::nullopt;
      case Operation::minimum:
        return a && b ? MaybeRange(Range{std::min(a->low, b->low), std::min(a->high, b->high)})
                      : std::nullopt;
      case Operation::less:
        return a && b ? truth(a->high < b->low, a->low >= b->high) : Range{0, 1};
      case Operation::at_least:
        return a && b ? truth(a->low >= b->high, a->high < b->low) : Range{0, 1};
      case Operation::equal:
        return a && b ? truth(false, a->high < b->low || b->high < a->low) : Range{0, 1};
      case Operation::both:
        return Range{0, 1};
      case Operation::select:
        if (x[0].e.is_constant()) return x[0].e.is_constant(0) ? c : b;
        return b && c ? around({b->low, b->high, c->low, c->high}) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  static RankExpression folded(const RankExpression& e, const std::array<Resolved, 3>& x) {
    RankExpression out = rebuilt(e, x[0].e, x[1].e, x[2].e);
    for (size_t i = 0; i < e.operands(); ++i)
      if (!x[i].e.is_constant()) return out;
    return RankExpression::constant(out.at(0));
  }

  int64_t nprocs_, index_;
};

/// Ranks that run something, and the law that says which.
struct Members {
  RankSet set{};
  RankExpression law = RankExpression::constant(1);
};

/// Longest list that a law may make.
constexpr int64_t longest_list = int64_t{1} << 20;

class Sizer {
 public:
  /// `tables`: the trace that is being made, with the tables of the scale-free one; `lists` adds to them.
  Sizer(uint32_t nprocs, const Trace& tables, LawLists& lists)
      : nprocs_(nprocs), everyone_{RankSet::range(0, nprocs)}, tables_(tables), lists_(lists) {}

  /// `lost`: layers of which a stream can't be had at this number of ranks, and why.
  Process process(const Process& p, std::map<std::string, std::string>& lost) const {
    Process out = p;
    out.ranks = everyone_.set;
    out.streams.clear();
    for (const Stream& s : p.streams) {
      try {
        if (std::optional<Stream> here = stream(s)) out.streams.push_back(std::move(*here));
      } catch (const BadCount& bad) {
        if (s.layer.empty()) throw;
        lost.emplace(s.layer, bad.text);
      }
    }
    return out;
  }

 private:
  /// Nothing if nobody has it.
  std::optional<Stream> stream(const Stream& s) const {
    Members ranks = of(s.ranks, everyone_);
    if (ranks.set.empty()) return {};
    Stream out{.thread = s.thread, .layer = s.layer};
    out.prefix = number(s.prefix);
    out.nodes = list(s.nodes, ranks);
    if (ranks.set.size() < nprocs_) out.ranks = std::move(ranks.set);
    return out;
  }

  /// Laws recur, and so do the sets.
  Members of(const RankSet& set, const Members& in) const {
    if (!set.law()) return in;
    RankExpression here = Resolver(nprocs_, 0).resolve(*set.law()).e;
    if (here.is_constant()) return here.is_constant(0) ? Members{{}, here} : in;
    RankExpression law = in.law.is_constant() ? here : RankExpression::both(in.law, here);
    for (const Members& known : known_)
      if (known.law == law) return known;
    if (known_.size() == most_remembered) known_.clear();
    return known_.emplace_back(Members{ranks_where(law, nprocs_), law});
  }

  std::vector<Node> list(const std::vector<Node>& nodes, const Members& around) const {
    std::vector<Node> out;
    std::vector<uint32_t> moved(nodes.size(), UINT32_MAX);
    for (size_t i = 0; i < nodes.size(); ++i) {
      std::optional<Node> x = node(nodes[i], around);
      if (!x) continue;
      moved[i] = static_cast<uint32_t>(out.size());
      out.push_back(std::move(*x));
    }
    if (out.size() < nodes.size())
      for (Node& x : out) redirect_copies(x, moved);
    return out;
  }

  /// Nothing if nobody runs the node.
  std::optional<Node> node(const Node& x, const Members& around) const {
    Members own = of(x.ranks, around);
    if (own.set.empty()) return {};
    Node out{.kind = x.kind, .signature = x.signature};
    if (x.kind == NodeKind::loop || x.kind == NodeKind::choice) out.count = value(x.count, own);
    if (x.kind == NodeKind::loop) check_count(out.count, own.set);
    for (const Value& v : x.parameters) out.parameters.push_back(value(v, own));
    if (x.kind == NodeKind::event && has_law_lists(tables_.signatures[x.signature]))
      if (auto written = lists_.write_out(out, x, own.set); !written) throw BadCount{written.error().message};
    out.body = x.kind == NodeKind::choice ? arms(x.body, own) : list(x.body, own);
    if (x.kind != NodeKind::event && out.body.empty()) return {};
    out.timing = x.timing;
    out.time_law = x.time_law;
    if (own.set.size() < around.set.size()) out.ranks = std::move(own.set);
    return out;
  }

  /// Arms are selected by number, so those of nobody stay: nobody selects them.
  std::vector<Node> arms(const std::vector<Node>& nodes, const Members& around) const {
    std::vector<Node> out;
    for (const Node& x : nodes) {
      std::optional<Node> arm = node(x, around);
      if (!arm) throw BadCount{"an arm of a choice that no rank has"};
      out.push_back(std::move(*arm));
    }
    return out;
  }

  /// Loops don't run less than no times; where the count is a function of the rank alone this can be seen
  /// here.
  static void check_count(const Value& v, const RankSet& ranks) {
    if (v.form != Form::affine || v.base.table() != nullptr) return;
    bool fixed = std::all_of(v.slopes.begin(), v.slopes.end(), [](const Number& s) {
      return s.is_constant() && (s.constant() == 0 || s.constant() == Value::any_slope);
    });
    if (!fixed) return;
    auto good = [](int64_t n) { return n >= 0 && static_cast<uint64_t>(n) <= Limits::trips; };
    if (v.base.is_constant() && !good(v.base.constant()))
      throw BadCount{"a loop would run " + std::to_string(v.base.constant()) + " times"};
    if (v.base.is_constant()) return;
    for (uint32_t rank : {ranks.first(), ranks.last()})
      if (int64_t n = v.base.at(rank, 0); !good(n))
        throw BadCount{"a loop of rank " + std::to_string(rank) + " would run " + std::to_string(n) +
                       " times"};
  }

  static void redirect_copies(Node& node, const std::vector<uint32_t>& moved) {
    auto follow = [&](Value& v) {
      if (v.form == Form::copy && v.sibling < moved.size()) v.sibling = moved[v.sibling];
    };
    auto each = [&](Value& v) {
      follow(v);
      for (Alternative& a : v.alternatives) follow(a.value);
    };
    each(node.count);
    for (Value& v : node.parameters) each(v);
  }

  Value value(const Value& v, const Members& ranks) const {
    if (v.form == Form::by_rank) return alternatives(v, ranks);
    Value out = v;
    out.base = number(v.base);
    out.step = number(v.step);
    for (Number& n : out.slopes) n = number(n);
    for (Number& n : out.entries) n = number(n);
    if (v.law) resolve_list(out, *v.law, ranks.set);
    while (!out.slopes.empty() && out.slopes.back() == 0) out.slopes.pop_back();
    return out;
  }

  Value alternatives(const Value& v, const Members& ranks) const {
    Value out{.form = Form::by_rank};
    for (const Alternative& a : v.alternatives) {
      Members own = of(a.ranks, ranks);
      if (own.set.empty()) continue;
      Value here = value(a.value, own);
      if (own.set.size() == ranks.set.size()) return here;
      out.alternatives.push_back({std::move(own.set), std::move(here)});
    }
    if (out.alternatives.empty()) return {.form = Form::column};  // nobody's: there is nothing to run
    return out;
  }

  /// As long as the longest that a rank has; others don't use all of it.
  int64_t length_of_list(const ListLaw& law, const RankSet& ranks) const {
    RankExpression length = Resolver(nprocs_, 0).resolve(law.length).e;
    if (length.is_constant()) return length.number();
    std::vector<uint32_t> all = ranks.expand();
    std::vector<int64_t> lengths(all.size());
    length.evaluate(all, lengths);
    return *std::max_element(lengths.begin(), lengths.end());
  }

  void resolve_list(Value& v, const ListLaw& law, const RankSet& ranks) const {
    int64_t length = length_of_list(law, ranks);
    if (length < 1 || length > longest_list)
      throw BadCount{"a list would have " + std::to_string(length) + " elements"};
    v.law.reset();
    if (!law.element.depends_on(Variable::rank)) {
      std::vector<int64_t> values;
      for (int64_t k = 0; k < length; ++k)
        values.push_back(law.element.at(RankExpression::Point{.nprocs = nprocs_, .index = k}));
      v.column = std::make_shared<const Column>(Column::of(values));
      return;
    }
    for (int64_t k = 0; k < length; ++k) v.entries.emplace_back(Resolver(nprocs_, k).resolve(law.element).e);
  }

  Number number(const Number& n) const {
    return n.expression() ? Number(Resolver(nprocs_, 0).resolve(*n.expression()).e) : n;
  }

  static constexpr size_t most_remembered = 16;

  uint32_t nprocs_;
  Members everyone_;
  const Trace& tables_;
  LawLists& lists_;
  mutable std::vector<Members> known_;
};

/// Says so where times come from laws; at a number of ranks that was recorded, too.
void note_estimates(const Trace& free, const Estimates& estimates, Trace& out) {
  std::string note(Trace::estimates_note);
  note += "fitted to runs of ";
  for (uint32_t size : free.sizes) note += (size == free.sizes[0] ? "" : ", ") + std::to_string(size);
  note += " ranks";
  if (estimates.negative > 0)
    note += "; " + std::to_string(estimates.negative) + " of " + std::to_string(estimates.made) +
            " came out negative and are taken to be zero";
  out.notes.push_back(std::move(note));
}

/// What happens inside of libraries is no part of what the program does: where it has no law, the rest
/// stands.
void leave_out(Trace& out, const std::map<std::string, std::string>& lost) {
  for (const auto& [layer, why] : lost) {
    for (Process& p : out.processes)
      std::erase_if(p.streams, [&gone = layer](const Stream& s) { return s.layer == gone; });
    out.notes.push_back("left out at " + std::to_string(out.nprocs) + " ranks: layer " + layer + ", " + why);
  }
}

}  // namespace

RankExpression substituted(const RankExpression& e, Variable which, const RankExpression& by) {
  if (e.operation() == Operation::variable) return e.number() == static_cast<int64_t>(which) ? by : e;
  if (!e.depends_on(which)) return e;
  std::array<RankExpression, 3> x;
  for (size_t i = 0; i < e.operands(); ++i) x[i] = substituted(e.operand(i), which, by);
  return rebuilt(e, x[0], x[1], x[2]);
}

RankExpression replaced(const RankExpression& e, const RankExpression& part, const RankExpression& by) {
  if (e == part) return by;
  if (e.operands() == 0) return e;
  std::array<RankExpression, 3> x;
  for (size_t i = 0; i < e.operands(); ++i) x[i] = replaced(e.operand(i), part, by);
  return rebuilt(e, x[0], x[1], x[2]);
}

Result<RankExpression> at_size(const RankExpression& e, uint32_t nprocs) {
  try {
    return Resolver(nprocs, 0).resolve(e).e;
  } catch (const TooLarge&) {
    return fail(ErrorKind::limit, "numbers beyond 64 bits");
  }
}

Result<Trace> at_size(const Trace& trace, uint32_t nprocs) {
  if (!trace.scale_free()) return fail(ErrorKind::usage, "not a scale-free trace");
  if (nprocs < 1 || nprocs > RankSet::most_listed)
    return fail(ErrorKind::limit, "a trace has 1 to " + std::to_string(RankSet::most_listed) + " ranks");
  Trace out = trace;
  out.sizes.clear();
  out.doubts.clear();
  out.processes.clear();
  out.nprocs = nprocs;
  try {
    LawLists lists(out, nprocs);
    std::map<std::string, std::string> lost;
    for (const Process& p : trace.processes)
      out.processes.push_back(Sizer(nprocs, out, lists).process(p, lost));
    lists.finish();
    leave_out(out, lost);
    Estimates estimates;
    for (Process& p : out.processes) estimate_times(p, nprocs, estimates);
    if (has_time_laws(trace)) note_estimates(trace, estimates, out);
    // A damaged trace may have laws that no trace of one number of ranks can hold, such as K/rank.
    if (auto sound = format::check(out); !sound) throw BadCount{sound.error().message};
    return out;
  } catch (const TooLarge&) {
    return fail(ErrorKind::limit, "at " + std::to_string(nprocs) + " ranks: numbers beyond 64 bits");
  } catch (const BadCount& bad) {
    return fail(ErrorKind::limit, "at " + std::to_string(nprocs) + " ranks: " + bad.text);
  }
}

}  // namespace refrain::scale
