// Summing up a trace; see summary.hpp. Each stream is first summed in closed form; if one number in it
// can't be, the stream is run instead, so a total is never half of one and half of the other.
#include "trace/summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "trace/expand.hpp"
#include "trace/sums.hpp"

namespace refrain::trace {
namespace {

using FunctionKey = std::pair<std::string, std::string>;
using FunctionMap = std::map<FunctionKey, FunctionTotals>;

void add(FunctionTotals& to, const FunctionTotals& from) {
  to.calls += from.calls;
  to.failed += from.failed;
  to.bytes_read += from.bytes_read;
  to.bytes_written += from.bytes_written;
  to.time_ns += from.time_ns;
}

/// What a stream adds up to, by signature.
struct StreamTotals {
  std::vector<FunctionTotals> by_signature{};
  uint64_t events = 0;

  explicit StreamTotals(size_t signatures) : by_signature(signatures) {}
  void add_to(FunctionMap& functions, const Trace& trace) const {
    for (size_t i = 0; i < by_signature.size(); ++i) {
      if (by_signature[i].calls == 0) continue;
      const Signature& s = trace.signatures[i];
      add(functions[{s.layer, s.function}], by_signature[i]);
    }
  }
};

/// Calls `use(operand, first parameter)` for the arguments and the result.
template <class Use>
void for_operands(const Signature& s, Use use) {
  size_t at = 0;
  for (const Operand& operand : s.operands) {
    use(operand, at);
    at += operand.parameters();
  }
  use(s.result, at);
}

uint64_t* bytes_of(FunctionTotals& totals, const Operand& operand) {
  if (operand.parameters() == 0) return nullptr;
  if (operand.role == Role::bytes_read) return &totals.bytes_read;
  if (operand.role == Role::bytes_written) return &totals.bytes_written;
  return nullptr;
}

/// Sums a tree without running it; false if a number needs a walk.
class ClosedForm {
 public:
  ClosedForm(const Trace& trace, StreamTotals& totals) : trace_(trace), totals_(totals) {}

  bool list(const std::vector<Node>& nodes, const Executions& x) {
    return std::all_of(nodes.begin(), nodes.end(), [&](const Node& n) { return node(n, x, nodes); });
  }

 private:
  bool node(const Node& n, const Executions& x, const std::vector<Node>& siblings) {
    switch (n.kind) {
      case NodeKind::event:
        return event(n, x, siblings);
      case NodeKind::group:
        return list(n.body, x);
      case NodeKind::choice:
        return choice(n, x);
      case NodeKind::loop:
        break;
    }
    auto body = inside(n, x, siblings);
    return body && list(n.body, *body);
  }

  bool choice(const Node& n, const Executions& x) {
    auto counts = arm_counts(n, x);
    if (!counts) return false;
    Executions arm{.is_box = false, .trips = x.trips};
    for (size_t i = 0; i < n.body.size(); ++i) {
      arm.count = (*counts)[i];
      if (!node(n.body[i], arm, n.body)) return false;
    }
    return true;
  }

  bool event(const Node& n, const Executions& x, const std::vector<Node>& siblings) {
    if (x.count == UINT64_MAX) return false;
    const Signature& s = trace_.signatures[n.signature];
    FunctionTotals& totals = totals_.by_signature[n.signature];
    totals.calls += x.count;
    totals_.events += x.count;
    if (!s.error.empty()) totals.failed += x.count;
    bool ok = true;
    for_operands(s, [&](const Operand& operand, size_t at) {
      uint64_t* bytes = s.error.empty() ? bytes_of(totals, operand) : nullptr;
      for (size_t i = 0; bytes && ok && i < operand.parameters(); ++i) {
        auto sum = sum_of(n.parameters[at + i], x, siblings);
        ok = sum.has_value();
        *bytes += sum.value_or(0);
      }
    });
    return ok;
  }

  const Trace& trace_;
  StreamTotals& totals_;
};

class Summariser {
 public:
  Summariser(const Trace& trace, const SummaryOptions& options) : trace_(trace), options_(options) {}

  Summary run() {
    for (const Process& p : trace_.processes) process(p);
    finish(outer_, summary_.outer);
    for (auto& [layer, functions] : layers_) {
      LayerTotals& entry = summary_.layers.emplace_back();
      entry.layer = layer;
      finish(functions, entry.totals);
    }
    summary_.files.assign(files_.begin(), files_.end());
    return std::move(summary_);
  }

 private:
  void process(const Process& p) {
    ProcessSummary& entry = summary_.processes.emplace_back();
    entry = {
        .program = p.program, .pid = p.pid, .elapsed_ns = p.elapsed_ns, .ending = p.ending, .loss = p.loss};
    std::set<uint32_t> threads;
    for (const Stream& s : p.streams) {
      threads.insert(s.thread);
      StreamTotals totals = stream(s);
      if (s.layer.empty()) {
        entry.events += totals.events;
        totals.add_to(outer_, trace_);
        continue;
      }
      if (s.prefix > 0) totals_of_prefix(p, s, totals);
      totals.add_to(layers_[s.layer], trace_);
    }
    entry.threads = static_cast<uint32_t>(threads.size());
    summary_.threads += entry.threads;
  }

  StreamTotals stream(const Stream& s) {
    StreamTotals totals(trace_.signatures.size());
    bool names = constant_names(s.nodes);
    if (!options_.closed_forms || !ClosedForm(trace_, totals).list(s.nodes, {})) {
      totals = StreamTotals(trace_.signatures.size());
      walk(s.nodes, nullptr, options_.walked_events, totals);
    } else if (!names && s.layer.empty()) {
      StreamTotals ignored(trace_.signatures.size());
      bool complete = std::exchange(summary_.complete, true);
      walk(s.nodes, nullptr, options_.walked_events, ignored);
      summary_.files_complete &= summary_.complete;
      summary_.complete = complete;
    }
    times(s.nodes, totals);
    return totals;
  }

  /// The calls of a layer stream that are kept in the outer stream only.
  void totals_of_prefix(const Process& p, const Stream& s, StreamTotals& totals) {
    for (const Stream& outer : p.streams)
      if (outer.layer.empty() && outer.thread == s.thread) walk(outer.nodes, &s, s.prefix, totals);
  }

  /// Runs a tree: all of it up to `limit` events, or the first `limit` events of a layer.
  void walk(const std::vector<Node>& nodes, const Stream* layer, uint64_t limit, StreamTotals& totals) {
    Expander expander(nodes);
    uint64_t counted = 0;
    for (uint64_t walked = 0;; ++walked) {
      if (layer && counted == limit) return;
      if (walked == options_.walked_events) break;
      Expander::Event e = expander.next();
      if (!e.node) {
        summary_.damaged |= expander.damaged();
        return;
      }
      const Signature& s = trace_.signatures[e.node->signature];
      if (layer && s.layer != layer->layer) continue;
      count(s, e, totals);
      ++counted;
    }
    if (expander.next().node) summary_.complete = false;
  }

  void count(const Signature& s, const Expander::Event& e, StreamTotals& totals) {
    FunctionTotals& f = totals.by_signature[e.node->signature];
    ++f.calls;
    ++totals.events;
    if (!s.error.empty()) {
      ++f.failed;
      return;
    }
    for_operands(s, [&](const Operand& operand, size_t at) {
      if (uint64_t* bytes = bytes_of(f, operand))
        for (size_t i = 0; i < operand.parameters(); ++i)
          *bytes += static_cast<uint64_t>(e.parameters[at + i]);
      if (s.bracket == Bracket::opens && operand.kind == OperandKind::text)
        file(operand, e.parameters.subspan(at));
    });
  }

  void file(const Operand& operand, std::span<const int64_t> parameters) {
    int64_t index = parameters[0];
    if (index < 0 || static_cast<uint64_t>(index) >= trace_.templates.size()) return;
    const Template& t = trace_.templates[static_cast<size_t>(index)];
    if (t.fields() != operand.width) return;
    if (files_.size() < options_.files)
      files_.insert(t.fill(parameters.data() + 1));
    else if (!files_.count(t.fill(parameters.data() + 1)))
      summary_.files_complete = false;
  }

  /// Collects the files whose names are constant; false if some name varies.
  bool constant_names(const std::vector<Node>& nodes) {
    bool all = true;
    for (const Node& n : nodes) {
      ++summary_.nodes;
      all &= constant_names(n.body);
      if (n.kind != NodeKind::event) continue;
      const Signature& s = trace_.signatures[n.signature];
      if (s.bracket != Bracket::opens || !s.error.empty()) continue;
      for_operands(s, [&](const Operand& operand, size_t at) {
        if (operand.kind != OperandKind::text) return;
        std::vector<int64_t> numbers;
        for (size_t i = 0; i < operand.parameters(); ++i)
          if (n.parameters[at + i].is_constant()) numbers.push_back(n.parameters[at + i].base);
        if (numbers.size() == operand.parameters())
          file(operand, numbers);
        else
          all = false;
      });
    }
    return all;
  }

  void times(const std::vector<Node>& nodes, StreamTotals& totals) {
    for (const Node& n : nodes) {
      if (n.kind == NodeKind::event) totals.by_signature[n.signature].time_ns += n.timing.duration.sum_ns();
      times(n.body, totals);
    }
  }

  static void finish(const FunctionMap& functions, Totals& totals) {
    for (const auto& [key, f] : functions) {
      FunctionTotals& entry = totals.functions.emplace_back(f);
      entry.layer = key.first;
      entry.function = key.second;
      totals.events += f.calls;
      totals.bytes_read += f.bytes_read;
      totals.bytes_written += f.bytes_written;
      totals.time_ns += f.time_ns;
    }
  }

  const Trace& trace_;
  const SummaryOptions& options_;
  Summary summary_;
  FunctionMap outer_;
  std::map<std::string, FunctionMap> layers_;
  std::set<std::string> files_;
};

}  // namespace

Summary summarize(const Trace& trace, const SummaryOptions& options) {
  return Summariser(trace, options).run();
}

}  // namespace refrain::trace
