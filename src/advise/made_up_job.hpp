// Jobs for the tests of rules, put together call by call as merged traces are. Part of the test programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "advise/finding.hpp"
#include "trace/trace.hpp"

namespace refrain::advise::made_up {

using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::Operand;
using trace::OperandKind;
using trace::RankExpression;
using trace::Role;
using trace::Value;

inline constexpr int64_t kib = 1024, mib = 1024 * kib;
inline constexpr uint64_t us = 1000, ms = 1000 * us;

/// An argument or a result.
struct Word {
  Operand operand{};
  std::vector<Value> values{};
};

inline Value constant(int64_t v) { return Value::constant(v); }
/// rank · factor + turns · slope
inline Value by_rank(int64_t factor, int64_t slope = 0) {
  Value v{.base = Number(RankExpression::rank() * RankExpression::constant(factor))};
  if (slope != 0) v.slopes = {slope};
  return v;
}
inline Value by_turn(int64_t slope) { return {.base = 0, .slopes = {slope}}; }

inline Word number(Value v, Role role = Role::plain) {
  return {{.kind = OperandKind::integer, .role = role}, {std::move(v)}};
}
inline Word number(int64_t v, Role role = Role::plain) { return number(constant(v), role); }
inline Word offset(Value v) { return number(std::move(v), Role::offset); }
inline Word read(int64_t bytes) { return number(bytes, Role::bytes_read); }
inline Word written(int64_t bytes) { return number(bytes, Role::bytes_written); }
inline Word written(Value bytes) { return number(std::move(bytes), Role::bytes_written); }
inline Word data() { return {{.kind = OperandKind::data}, {}}; }
inline Word data_written(int64_t bytes) {
  return {{.kind = OperandKind::sized_data, .role = Role::bytes_written}, {constant(bytes)}};
}
inline Word data_read(int64_t bytes) {
  return {{.kind = OperandKind::sized_data, .role = Role::bytes_read}, {constant(bytes)}};
}
inline Word name(const char* text) { return {{.kind = OperandKind::name, .text = text}, {}}; }
inline Word slot(const char* handle_class, int64_t n) {
  return {{.kind = OperandKind::slot, .text = handle_class}, {constant(n)}};
}
inline Word list(std::vector<Value> values) {
  return {{.kind = OperandKind::list, .width = static_cast<uint32_t>(values.size())}, std::move(values)};
}
inline Word nothing() { return {}; }

inline Node loop(int64_t turns, std::vector<Node> body) {
  return Node{.kind = NodeKind::loop, .count = constant(turns), .body = std::move(body)};
}

class Job {
 public:
  explicit Job(uint32_t ranks) {
    trace_.nprocs = ranks;
    trace::Process& p = trace_.processes.emplace_back();
    if (ranks > 0) p.ranks = trace::RankSet::range(0, ranks);
    p.ending = trace::Ending::exited;
    p.elapsed_ns = 10'000 * ms;
  }

  /// A path; with a field that may depend on the rank or a loop if `field` is given.
  Word path(const char* text) {
    trace_.templates.push_back({{text}, {}});
    return {{.kind = OperandKind::text, .width = 0}, {template_number()}};
  }
  Word path(const char* before, Value field) {
    trace_.templates.push_back({{before, ""}, {0}});
    return {{.kind = OperandKind::text, .width = 1}, {template_number(), std::move(field)}};
  }

  /// A call that took so long in all its executions, of all ranks together.
  Node call(const char* layer, const char* function, std::vector<Word> arguments, const Word& result,
            uint64_t executions, uint64_t ns, const char* error = "") {
    trace::Signature s{.function = function, .layer = layer, .site = ++sites_, .error = error};
    Node node{.signature = static_cast<uint32_t>(trace_.signatures.size())};
    for (Word& w : arguments) {
      s.operands.push_back(w.operand);
      node.parameters.insert(node.parameters.end(), w.values.begin(), w.values.end());
    }
    s.result = result.operand;
    node.parameters.insert(node.parameters.end(), result.values.begin(), result.values.end());
    trace_.signatures.push_back(std::move(s));
    Histogram one;
    one.add(ns / executions);
    node.timing.duration =
        one.rescaled(executions, static_cast<double>(ns) / static_cast<double>(executions));
    return node;
  }

  void outer(std::vector<Node> nodes) { trace_.processes[0].streams.push_back({.nodes = std::move(nodes)}); }
  void inside(const char* layer, std::vector<Node> nodes) {
    trace_.processes[0].streams.push_back({.layer = layer, .nodes = std::move(nodes)});
  }
  trace::Trace& trace() { return trace_; }

  /// Names of the rules that have something to say.
  std::vector<std::string> rules() const {
    std::vector<std::string> names;
    for (const Finding& f : advise(trace_).findings) names.push_back(f.rule);
    return names;
  }

 private:
  Value template_number() const { return constant(static_cast<int64_t>(trace_.templates.size()) - 1); }

  trace::Trace trace_;
  uint64_t sites_ = 0;
};

/// Only those ranks run the node.
inline Node only(trace::RankSet ranks, Node node) {
  node.ranks = std::move(ranks);
  return node;
}

using Names = std::vector<std::string>;

}  // namespace refrain::advise::made_up
