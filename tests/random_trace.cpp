// Makes a trace of random nests of loops around random values, of all forms and their mixtures: what the
// programs that tests record rarely fold into, and what a kernel and a replay must get right all the same.
//
//   random_trace SEED NESTS RANKS... OUT.rfn
//
// With several numbers of ranks it is a trace for any number, tried on these.
//
// All is done with calls that leave nothing behind, on files that stay empty, so that any number of nests
// fits into one program. A value that the interpreter (trace::Expander) has no answer for, or that a call
// could not take, is thrown again; the interpreter, which kernels share nothing with, is what they are held
// against: see e2e/kernel_values.sh.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "format/file.hpp"
#include "format/node_code.hpp"
#include "random_values.hpp"
#include "scale/at_size.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"

namespace refrain::random_trace {
namespace {

/// A call that the trace is made of.
struct Call {
  Signature signature;
  std::vector<Domain> domains;  ///< of its parameters
  bool result_follows = false;  ///< the last parameter is what the one before it is
};

class Maker {
 public:
  Maker(uint64_t seed, const std::vector<uint32_t>& sizes)
      : dice_(seed),
        values_(dice_, sizes.size() > 1),
        all_(sizes.size() > 1 ? RankSet::where(RankExpression::constant(1)) : RankSet::range(0, sizes[0])) {
    trace_.command = "random";
    trace_.host = "nowhere";
    trace_.recorder = "random_trace";
    trace_.layers = {"posix"};
    if (sizes.size() > 1)
      trace_.sizes = sizes;
    else
      trace_.nprocs = sizes[0];
    // What a kernel for any number of ranks needs is looked for on these.
    uint32_t largest = *std::max_element(sizes.begin(), sizes.end());
    tried_ = sizes;
    tried_.insert(tried_.end(), {largest + 1, largest + 3, 2 * largest + 1, 3 * largest});
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
    RankSet ranks =
        !arm && !values_.is_single(around) && dice_.chance(20) ? values_.some_of(around) : RankSet();
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
      if (!is_made(nest, node.parameters[called.domains[1].low == 0 ? 1 : 0])) continue;
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
    if (!trace_.scale_free()) return can_run(nest, all_) && is_readable(nest);
    Trace free{.sizes = trace_.sizes, .templates = trace_.templates, .signatures = trace_.signatures};
    free.processes.push_back({.ranks = all_, .streams = {{.nodes = nest}}});
    for (uint32_t size : tried_) {
      auto there = scale::at_size(free, size);
      if (!there) return false;
      const Process& process = there->processes[0];
      if (!process.streams.empty() && !can_run(process.streams[0].nodes, process.ranks)) return false;
    }
    return is_readable(nest);
  }

  bool can_run(const std::vector<Node>& nest, const RankSet& all) const {
    for (uint32_t rank : all.expand()) {
      std::vector<Node> here = at_rank(nest, all, rank);
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
    return true;
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
    ByteWriter out;
    format::write_nodes(out, nest);
    ByteReader in(out.bytes());
    format::read_nodes(in, parameters);
    return in.ok();
  }

  Dice dice_;
  Values values_;
  RankSet all_;
  Trace trace_;
  std::vector<Call> calls_;
  std::vector<uint32_t> tried_;  ///< numbers of ranks, of a trace for any
  size_t random_calls_ = 0;      ///< those that nests consist of
};

}  // namespace
}  // namespace refrain::random_trace

int main(int argc, char** argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: random_trace SEED NESTS RANKS... OUT.rfn\n");
    return 2;
  }
  std::vector<uint32_t> sizes;
  for (int i = 3; i + 1 < argc; ++i) sizes.push_back(static_cast<uint32_t>(std::stoul(argv[i])));
  refrain::random_trace::Maker maker(std::stoull(argv[1]), sizes);
  auto written = refrain::format::write_file(maker.make(std::stoul(argv[2])), argv[argc - 1]);
  if (!written) fprintf(stderr, "random_trace: %s\n", written.error().text().c_str());
  return written ? 0 : 2;
}
