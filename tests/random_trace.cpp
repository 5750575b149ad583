// Makes a trace of random nests of loops around random values, of all forms and their mixtures: what the
// programs that tests record rarely fold into, and what a kernel and a replay must get right all the same.
//
//   random_trace SEED NESTS RANKS OUT.rfn
//
// All is done with calls that leave nothing behind, on files that stay empty, so that any number of nests
// fits into one program. A value that the interpreter (trace::Expander) has no answer for, or that a call
// could not take, is thrown again; the interpreter, which kernels share nothing with, is what they are held
// against: see e2e/kernel_values.sh.
#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>

#include "trace/at_rank.hpp"
#include "trace/expand.hpp"
#include "trace/file.hpp"
#include "trace/node_code.hpp"

namespace {

using namespace refrain::trace;

/// The values that an argument may have.
struct Domain {
  int64_t low, high;
  bool holds(int64_t v) const { return v >= low && v <= high; }
};
constexpr Domain anything{INT64_MIN, INT64_MAX}, offsets{0, int64_t{1} << 40}, sizes{0, 1 << 20},
    fields{0, 100'000'000'000'000'000}, trips{0, 5};
constexpr uint32_t files = 8;
constexpr Domain slots{0, files - 1};

constexpr uint64_t most_calls = 64;  ///< of a nest, on one rank: merging keeps longer lists as they are
constexpr int throws = 12;           ///< until a value stays what it is

class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  /// 0 … n - 1
  int64_t below(int64_t n) { return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n)); }
  bool chance(int64_t percent) { return below(100) < percent; }
  /// Mostly small, sometimes as large as they come.
  int64_t integer(const Domain& domain) {
    if (domain.low == 0) return below(std::min(domain.high, int64_t{1} << (2 * below(10))) + 1);
    if (chance(4))
      return std::vector<int64_t>{INT64_MAX, INT64_MIN + 1, INT64_MIN, int64_t{1} << 62}[below(4)];
    int64_t size = int64_t{1} << (2 + 3 * below(12));
    return below(size) - (chance(30) ? size / 2 : 0);
  }

 private:
  std::mt19937_64 engine_;
};

class Values {
 public:
  Values(Dice& dice, uint32_t ranks) : dice_(dice), nprocs_(ranks) {}

  /// A set of some of them.
  RankSet some_of(const RankSet& around) {
    std::vector<uint32_t> chosen;
    for (uint32_t rank : around.expand())
      if (dice_.chance(55)) chosen.push_back(rank);
    if (chosen.empty()) chosen.push_back(around.first());
    return RankSet::of(chosen);
  }

  /// Where a value stands.
  struct Place {
    size_t depth;       ///< loops around it
    size_t parameters;  ///< of its node
    size_t siblings;    ///< in its list; none where that is no body
    const RankSet& ranks;
  };

  Value value(const Domain& domain, const Place& place) {
    if (place.ranks.size() < 2 || !dice_.chance(30)) return plain(domain, place);
    Value v{.form = Form::by_rank};
    RankSet left = place.ranks;
    while (left.size() > 1 && v.alternatives.size() < 4 && dice_.chance(v.alternatives.empty() ? 100 : 50)) {
      RankSet here = some_of(left);
      if (here.size() == left.size()) break;
      v.alternatives.push_back({here, plain(domain, {place.depth, place.parameters, place.siblings, here})});
      std::vector<uint32_t> others;
      for (uint32_t rank : left.expand())
        if (!here.contains(rank)) others.push_back(rank);
      left = RankSet::of(others);
    }
    v.alternatives.push_back({left, plain(domain, {place.depth, place.parameters, place.siblings, left})});
    return v;
  }

 private:
  /// One that is no alternative.
  Value plain(const Domain& domain, const Place& place) {
    Value v{.form = static_cast<Form>(dice_.below(8)), .base = number(domain, place.ranks)};
    bool nested = place.depth > 0;
    switch (v.form) {
      case Form::by_rank:
        v.form = Form::affine;
        [[fallthrough]];
      case Form::affine:
        add_slopes(v, domain, place);
        break;
      case Form::counter:
        v.step = number(domain, place.ranks);
        break;
      case Form::running:
        v.step = dice_.chance(50) ? Number(1) : number(domain, place.ranks);
        v.parameter = static_cast<uint32_t>(dice_.below(std::max<int64_t>(place.parameters, 1)));
        break;
      case Form::copy:
        if (place.siblings == 0) {
          v.form = Form::affine;
          break;
        }
        v.sibling = static_cast<uint32_t>(dice_.below(place.siblings));
        v.parameter = static_cast<uint32_t>(dice_.below(4));
        if (dice_.chance(60)) v.base = 0;
        break;
      case Form::separable:
      case Form::column:
        if (v.form == Form::separable && nested) {
          v.depth = static_cast<uint32_t>(dice_.below(place.depth));
          add_slopes(v, domain, place);
        } else {
          v.form = Form::column;
        }
        if (dice_.chance(60)) v.base = 0;
        add_list(v, domain, place);
        break;
      case Form::power:
        if (!nested) {
          v.form = Form::affine;
          break;
        }
        v.depth = static_cast<uint32_t>(dice_.below(place.depth));
        v.ratio = 2 + dice_.below(dice_.chance(80) ? 4 : 1000);
        v.step = number({domain.low, std::min<int64_t>(domain.high, 1000)}, place.ranks);
        add_slopes(v, domain, place);
        break;
    }
    return v;
  }

  void add_slopes(Value& v, const Domain& domain, const Place& place) {
    for (int64_t n = dice_.below(static_cast<int64_t>(place.depth) + 1); n > 0; --n)
      v.slopes.push_back(dice_.chance(25) ? Number(dice_.chance(80) ? 0 : Value::any_slope)
                                          : slope(domain, place.ranks));
  }

  /// Not the mark for any slope on some ranks only: merging leaves no such.
  Number slope(const Domain& domain, const RankSet& ranks) {
    Number n = number(domain, ranks);
    for (uint64_t i = 0; i < ranks.size(); ++i)
      if (n.at(ranks.at(i), i) == Value::any_slope) return 1;
    return n;
  }

  void add_list(Value& v, const Domain& domain, const Place& place) {
    uint64_t length =
        v.form == Form::separable ? static_cast<uint64_t>(trips.high + dice_.below(3)) : most_calls;
    auto period = static_cast<uint64_t>(dice_.chance(80) ? 1 + dice_.below(8) : most_calls);
    bool two_valued = dice_.chance(20);
    if (dice_.chance(60)) {
      std::vector<int64_t> list;
      int64_t a = dice_.integer(domain), b = dice_.integer(domain);
      for (uint64_t i = 0; i < length; ++i)
        list.push_back(i >= period        ? list[i - period]
                       : !two_valued      ? dice_.integer(domain)
                       : dice_.chance(50) ? a
                                          : b);
      v.column = std::make_shared<const Column>(Column::of(list));
    } else {
      Number a = number(domain, place.ranks), b = number(domain, place.ranks);
      for (uint64_t i = 0; i < length; ++i)
        v.entries.push_back(i >= period   ? v.entries[i - period]
                            : !two_valued ? number(domain, place.ranks)
                                          : (dice_.chance(50) ? a : b));
    }
  }

  Number number(const Domain& domain, const RankSet& ranks) {
    int64_t kind = dice_.below(10);
    if (kind < 5 || ranks.size() < 2) return dice_.integer(domain);
    if (kind < 7) {
      std::vector<int64_t> table;
      for (uint64_t i = 0; i < ranks.size(); ++i) table.push_back(dice_.integer(domain));
      return Number(Column::of(table));
    }
    RankExpression e = expression(3);
    if (domain.low == 0) {
      int64_t mask = 1;
      while (mask * 2 + 1 <= domain.high && dice_.chance(90)) mask = mask * 2 + 1;
      e = e & RankExpression::constant(mask);
    }
    return e.is_constant() ? Number(e.number()) : Number(e);
  }

  RankExpression expression(int depth) {
    if (depth == 0 || dice_.chance(15))
      return dice_.chance(70) ? RankExpression::rank() : RankExpression::constant(dice_.integer(anything));
    auto e = [&] { return expression(depth - 1); };
    auto condition = [&] {
      RankExpression a = e(), b = e();
      return dice_.chance(50)   ? RankExpression::less(a, b)
             : dice_.chance(50) ? RankExpression::at_least(a, b)
                                : RankExpression::equal(a, b);
    };
    auto table = [&] {
      std::vector<int64_t> values;
      for (int64_t n = 1 + dice_.below(nprocs_ + 2); n > 0; --n) values.push_back(dice_.integer(anything));
      return Column::of(values);
    };
    switch (dice_.below(18)) {
      case 0:
        return e() + e();
      case 1:
        return e() - e();
      case 2:
        return e() * e();
      case 3:
        return e() / (1 + dice_.below(9));
      case 4:
        return e() % (1 + dice_.below(9));
      case 5:
        return RankExpression::minimum(e(), e());
      case 6:
        return e() ^ e();
      case 7:
        return e() & e();
      case 8:
        return RankExpression::power_of_two(e());
      case 9:
        return RankExpression::power(2 + dice_.below(9), e());
      case 10:
        return condition();
      case 11:
        return RankExpression::both(condition(), dice_.chance(70) ? condition() : e());
      case 12:
        return RankExpression::select(dice_.chance(70) ? condition() : e(), e(), e());
      case 13:
        return RankExpression::linear(table(), e());
      case 14:
        return RankExpression::lookup(table(), e());
      case 15:
        return RankExpression::prefix_sum(table(), e());
      case 16:
        return RankExpression::constant(1) - condition();
      default:
        return e() * RankExpression::constant(dice_.integer(anything)) +
               RankExpression::constant(dice_.integer(anything));
    }
  }

  Dice& dice_;
  uint32_t nprocs_;
};

/// A call that the trace is made of.
struct Call {
  Signature signature;
  std::vector<Domain> domains;  ///< of its parameters
  bool result_follows = false;  ///< the last parameter is what the one before it is
};

class Maker {
 public:
  Maker(uint64_t seed, uint32_t ranks) : dice_(seed), values_(dice_, ranks), all_(RankSet::range(0, ranks)) {
    trace_.command = "random";
    trace_.host = "nowhere";
    trace_.recorder = "random_trace";
    trace_.layers = {"posix"};
    trace_.nprocs = ranks;
    declare_calls();
  }

  const Trace& make(size_t nests) {
    Process& process = trace_.processes.emplace_back();
    process.program = "/random";
    process.arguments = {"/random"};
    process.directory = "/";
    process.ending = Ending::exited;
    process.ranks = all_;
    std::vector<Node>& nodes = process.streams.emplace_back().nodes;
    for (uint32_t i = 0; i < files; ++i) nodes.push_back(call("open", {0, i, i}));
    for (size_t i = 0; i < nests; ++i) nodes.push_back(nest());
    for (uint32_t i = 0; i < files; ++i) nodes.push_back(call("close", {i}));
    return trace_;
  }

 private:
  void declare_calls() {
    Operand fd{.kind = OperandKind::slot, .text = "fd"}, data{.kind = OperandKind::data};
    Operand offset{.kind = OperandKind::integer, .role = Role::offset},
        size{.kind = OperandKind::integer, .role = Role::size};
    auto name = [](const char* text) { return Operand{.kind = OperandKind::name, .text = text}; };
    auto declare = [&](Signature s, std::vector<Domain> domains, bool result_follows = false) {
      s.layer = "posix";
      calls_.push_back({s, std::move(domains), result_follows});
    };
    declare({.function = "posix_fadvise", .operands = {fd, offset, size, name("POSIX_FADV_NORMAL")}},
            {slots, anything, sizes});
    declare({.function = "pread",
             .operands = {fd, data, size, offset},
             .result = {.kind = OperandKind::integer, .role = Role::bytes_read}},
            {slots, sizes, offsets, {0, 0}});
    declare({.function = "lseek",
             .operands = {fd, offset, name("SEEK_SET")},
             .result = {.kind = OperandKind::integer}},
            {slots, offsets, offsets}, true);
    declare({.function = "preadv",
             .operands = {fd, {.kind = OperandKind::list, .role = Role::size, .width = 3}, offset},
             .result = {.kind = OperandKind::integer, .role = Role::bytes_read}},
            {slots, sizes, sizes, sizes, offsets, {0, 0}});
    trace_.templates = {{.literals = {"file_", ""}, .widths = {0}},
                        {.literals = {"none_", "_", ".x"}, .widths = {0, 5}},
                        {.literals = {"none/", "/y", ""}, .widths = {3, 0}}};
    declare({.function = "access",
             .error = "ENOENT",
             .operands = {{.kind = OperandKind::text, .width = 2}, name("F_OK")}},
            {{1, 2}, fields, fields});
    declare({.function = "open",
             .bracket = Bracket::opens,
             .operands = {{.kind = OperandKind::text, .width = 1}, name("O_RDWR|O_CREAT"), name("0644")},
             .result = fd},
            {});
    declare({.function = "close", .bracket = Bracket::closes, .operands = {fd}}, {});
    random_calls_ = calls_.size() - 2;
    for (const Call& c : calls_) trace_.signatures.push_back(c.signature);
  }

  Node call(const char* function, const std::vector<int64_t>& parameters) {
    Node node;
    while (calls_[node.signature].signature.function != function) ++node.signature;
    for (int64_t p : parameters) node.parameters.push_back(Value::constant(p));
    node.timing.gap.add(1);
    node.timing.duration.add(1);
    return node;
  }

  Node event() {
    Node node{.signature = static_cast<uint32_t>(dice_.below(static_cast<int64_t>(random_calls_)))};
    for (const Domain& d : calls_[node.signature].domains)
      node.parameters.push_back(Value::constant(d.low == INT64_MIN ? 0 : d.low));
    node.timing.gap.add(1);
    node.timing.duration.add(1);
    return node;
  }

  Node structure(size_t depth, const RankSet& around, bool arm = false) {
    Node node;
    RankSet ranks = !arm && around.size() > 1 && dice_.chance(20) ? values_.some_of(around) : RankSet();
    int64_t dice = dice_.below(100);
    const RankSet& here = ranks.empty() ? around : ranks;
    if (depth < 3 && dice < (depth == 0 ? 90 : 25)) {
      node.kind = NodeKind::loop;
      node.count = Value::constant(1 + dice_.below(depth == 0 ? 5 : 3));
      for (int64_t n = 1 + dice_.below(3); n > 0; --n) node.body.push_back(structure(depth + 1, here));
    } else if (!arm && dice < 96 && dice >= 90) {
      node.kind = NodeKind::choice;
      for (int64_t n = 2 + dice_.below(2); n > 0; --n) node.body.push_back(structure(depth, here, true));
    } else if (arm && dice_.chance(50)) {
      node.kind = NodeKind::group;
      for (int64_t n = 1 + dice_.below(3); n > 0; --n) node.body.push_back(structure(depth, here));
    } else {
      node = event();
    }
    node.ranks = ranks;
    return node;
  }

  Node nest() {
    std::vector<Node> nodes;
    do nodes = {structure(0, all_)};
    while (!is_good(nodes));
    throw_values(nodes, nodes, 0, all_);
    return nodes[0];
  }

  /// Gives the values of a list of nodes, which is somewhere in `nest`, their forms.
  void throw_values(std::vector<Node>& nest, std::vector<Node>& list, size_t depth, const RankSet& around) {
    size_t siblings = &list == &nest ? 0 : list.size();
    for (Node& node : list) {
      const RankSet& ranks = ranks_of(node, around);
      Values::Place place{depth, node.parameters.size(), siblings, ranks};
      if (node.kind == NodeKind::loop && dice_.chance(60)) throw_value(nest, node.count, trips, place);
      if (node.kind == NodeKind::choice)
        throw_value(nest, node.count, {0, static_cast<int64_t>(node.body.size()) - 1}, place);
      throw_values(nest, node.body, depth + (node.kind == NodeKind::loop ? 1 : 0), ranks);
    }
    for (Node& node : list) {
      if (node.kind != NodeKind::event) continue;
      const Call& called = calls_[node.signature];
      Values::Place place{depth, node.parameters.size(), siblings, ranks_of(node, around)};
      if (!is_made(nest, node.parameters[0])) continue;
      size_t n = called.domains.size() - (called.result_follows ? 1 : 0);
      for (size_t p = 0; p < n; ++p) {
        if (called.domains[p].low == called.domains[p].high) continue;
        throw_value(nest, node.parameters[p], called.domains[p], place,
                    called.result_follows && p + 1 == n ? &node.parameters[n] : nullptr);
      }
    }
  }

  /// Whether any rank comes to the call with this argument. Values elsewhere mean nothing.
  bool is_made(const std::vector<Node>& nest, Value& argument) const {
    Value before = std::exchange(argument, Value::constant(-1));
    bool made = !is_good(nest);
    argument = before;
    return made;
  }

  /// `result`: what follows the value.
  void throw_value(std::vector<Node>& nest, Value& value, const Domain& domain, const Values::Place& place,
                   Value* result = nullptr) {
    Value before = value;
    for (int i = 0; i < throws; ++i) {
      value = values_.value(domain, place);
      if (result != nullptr) *result = value;
      if (is_good(nest)) return;
    }
    value = before;
    if (result != nullptr) *result = value;
  }

  /// Whether every rank can run it.
  bool is_good(const std::vector<Node>& nest) const {
    for (uint32_t rank : all_.expand()) {
      std::vector<Node> here = at_rank(nest, all_, rank);
      Expander run(here);
      uint64_t calls = 0;
      for (auto event = run.next(); event.node != nullptr; event = run.next()) {
        const Call& called = calls_[event.node->signature];
        if (++calls > most_calls) return false;
        for (size_t p = 0; p < event.parameters.size(); ++p)
          if (!called.domains[p].holds(event.parameters[p])) return false;
        size_t n = event.parameters.size();
        if (called.result_follows && event.parameters[n - 1] != event.parameters[n - 2]) return false;
      }
      if (run.damaged() || !copies_resolve(here)) return false;
    }
    return is_readable(nest);
  }

  /// Also where nothing is run: merged traces hold no copies of copies there either.
  static bool copies_resolve(const std::vector<Node>& list) {
    auto resolves = [&](const Value& v) {
      if (v.form != Form::copy) return true;
      return v.sibling < list.size() && v.parameter < list[v.sibling].parameters.size() &&
             list[v.sibling].parameters[v.parameter].form != Form::copy;
    };
    return std::all_of(list.begin(), list.end(), [&](const Node& node) {
      return resolves(node.count) && std::all_of(node.parameters.begin(), node.parameters.end(), resolves) &&
             copies_resolve(node.body);
    });
  }

  /// Readers refuse some of what doesn't come to be run.
  bool is_readable(const std::vector<Node>& nest) const {
    std::vector<uint32_t> parameters;
    for (const Signature& s : trace_.signatures) parameters.push_back(s.parameters());
    refrain::ByteWriter out;
    write_nodes(out, nest);
    refrain::ByteReader in(out.bytes());
    read_nodes(in, parameters);
    return in.ok();
  }

  Dice dice_;
  Values values_;
  RankSet all_;
  Trace trace_;
  std::vector<Call> calls_;
  size_t random_calls_ = 0;  ///< those that nests consist of
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: random_trace SEED NESTS RANKS OUT.rfn\n");
    return 2;
  }
  Maker maker(std::stoull(argv[1]), static_cast<uint32_t>(std::stoul(argv[3])));
  auto written = write_file(maker.make(std::stoul(argv[2])), argv[4]);
  if (!written) fprintf(stderr, "random_trace: %s\n", written.error().text().c_str());
  return written ? 0 : 2;
}
