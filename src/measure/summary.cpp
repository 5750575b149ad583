// Summing up a trace; see summary.hpp. Each stream is first summed in closed form; if one number in it
// can't be, the stream is run instead, so a total is never half of one and half of the other. In a merged
// process, what is the same on all ranks is summed once and multiplied; the rest is summed rank by rank.
#include "measure/summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "measure/file_rule.hpp"
#include "measure/sums.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

using FunctionKey = std::pair<std::string, std::string>;
using FunctionMap = std::map<FunctionKey, FunctionTotals>;

/// What a stream adds up to, by signature.
struct StreamTotals {
  std::vector<FunctionTotals> by_signature{};
  uint64_t events = 0;

  explicit StreamTotals(size_t signatures) : by_signature(signatures) {}
  void add(const StreamTotals& other, uint64_t times) {
    events += other.events * times;
    for (size_t i = 0; i < by_signature.size(); ++i) {
      FunctionTotals f = other.by_signature[i];
      for (uint64_t* n : {&f.calls, &f.failed, &f.bytes_read, &f.bytes_written}) *n *= times;
      by_signature[i].add(f);
    }
  }
  /// Takes off what the same thread did itself; nothing goes below zero.
  void subtract(const StreamTotals& own) {
    auto less = [](uint64_t& from, uint64_t n) { from -= std::min(from, n); };
    for (size_t i = 0; i < by_signature.size(); ++i) {
      FunctionTotals& f = by_signature[i];
      const FunctionTotals& o = own.by_signature[i];
      less(f.calls, o.calls);
      less(f.failed, o.failed);
      less(f.bytes_read, o.bytes_read);
      less(f.bytes_written, o.bytes_written);
      less(f.time_ns, o.time_ns);
    }
  }
  void add_to(FunctionMap& functions, const Trace& trace) const {
    for (size_t i = 0; i < by_signature.size(); ++i) {
      if (by_signature[i].calls == 0) continue;
      const Signature& s = trace.signatures[i];
      functions[{s.layer, s.function}].add(by_signature[i]);
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

/// Whether the sums of a node are the same on all ranks that run it, and don't depend on its siblings.
class Uniform {
 public:
  explicit Uniform(const Trace& trace) : trace_(trace) {}

  bool operator()(const Node& n, bool top = true) const {
    if (!top && !n.ranks.empty()) return false;
    if (!n.count.is_plain() || n.count.form == Form::copy) return false;
    if (n.kind == NodeKind::event) return event(n);
    return std::all_of(n.body.begin(), n.body.end(), [&](const Node& x) { return (*this)(x, false); });
  }

 private:
  bool event(const Node& n) const {
    const Signature& s = trace_.signatures[n.signature];
    FunctionTotals unused;
    bool same = true;
    for_operands(s, [&](const Operand& operand, size_t at) {
      if (!bytes_of(unused, operand)) return;
      for (size_t i = 0; i < operand.parameters(); ++i)
        same &= n.parameters[at + i].is_plain() && n.parameters[at + i].form != Form::copy;
    });
    return same;
  }

  const Trace& trace_;
};

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

class Summarizer {
 public:
  Summarizer(const Trace& trace, const SummaryOptions& options)
      : trace_(trace), options_(options), rules_(file_rules(trace.signatures)) {}

  Summary run() {
    for (const Process& p : trace_.processes) process(p);
    finish(outer_, summary_.outer);
    finish(inner_, summary_.inner);
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
    entry = {.program = p.program,
             .pid = p.pid,
             .elapsed_ns = p.elapsed_ns,
             .ending = p.ending,
             .loss = p.loss,
             .empty_tests = p.empty_tests};
    entry.ranks = p.ranks;
    entry.ended_early = p.ended_early;
    std::map<uint32_t, uint64_t> threads;  // and how many ranks have each
    std::map<uint32_t, StreamTotals> programs;
    for (const Stream& s : p.streams) {
      uint64_t ranks = std::max<uint64_t>(1, ranks_of(s, p).size());
      threads[s.thread] = std::max(threads[s.thread], ranks);
      StreamTotals totals = stream(p, s);
      if (s.layer.empty()) {
        entry.events += totals.events;
        totals.add_to(outer_, trace_);
        programs.insert_or_assign(s.thread, std::move(totals));
      } else {
        totals.add_to(layers_[s.layer], trace_);
        if (auto own = programs.find(s.thread); own != programs.end()) totals.subtract(own->second);
        totals.add_to(inner_, trace_);
      }
    }
    for (auto [thread, ranks] : threads) entry.threads += ranks;
    summary_.threads += entry.threads;
  }

  StreamTotals stream(const Process& p, const Stream& s) {
    const RankSet& ranks = ranks_of(s, p);
    StreamTotals totals(trace_.signatures.size());
    uint64_t before = summary_.nodes;
    count_nodes(s.nodes);
    stream_nodes_ = std::max<uint64_t>(1, summary_.nodes - before);
    if (!all_ranks_at_once(s, ranks, totals)) {
      totals = StreamTotals(trace_.signatures.size());
      for_ranks(ranks, [&](uint32_t rank) { one_rank(at_rank(s.nodes, ranks, rank), totals); });
    }
    if (s.layer.empty()) names(s, ranks);
    if (!(s.prefix == 0))
      for_ranks(ranks, [&](uint32_t rank) {
        for (const Stream& outer : p.streams) {
          if (!outer.layer.empty() || outer.thread != s.thread) continue;
          auto place = ranks.position(rank).value_or(0);
          walk(at_rank(outer.nodes, ranks_of(outer, p), rank), &s,
               static_cast<uint64_t>(s.prefix.at(rank, place)), totals);
        }
      });
    times(s.nodes, totals);
    return totals;
  }

  /// Calls `use(rank)` for the ranks of a set, or once if there are none; up to a bound.
  template <class Use>
  void for_ranks(const RankSet& ranks, Use use) {
    if (ranks.empty()) return use(0);
    uint64_t n = std::min({ranks.size(), options_.ranks, (options_.nodes - looked_at_) / stream_nodes_});
    looked_at_ += n * stream_nodes_;
    for (uint64_t k = 0; k < n; ++k) use(ranks.at(k));
    if (n < ranks.size()) summary_.complete = false;
  }

  /// Sums node by node, those that are the same everywhere only once; false if a number needs a walk.
  bool all_ranks_at_once(const Stream& s, const RankSet& around, StreamTotals& totals) {
    if (!options_.closed_forms) return false;
    if (is_plain(s.nodes)) {
      StreamTotals one(trace_.signatures.size());
      if (!ClosedForm(trace_, one).list(s.nodes, {})) return false;
      totals.add(one, std::max<uint64_t>(1, around.size()));
      return true;
    }
    Uniform uniform(trace_);
    for (const Node& n : s.nodes) {
      if (!uniform(n)) return false;
      const RankSet& ranks = ranks_of(n, around);
      StreamTotals one(trace_.signatures.size());
      const std::vector<Node> alone{n};
      if (!ClosedForm(trace_, one).list(at_rank(alone, ranks, ranks.first()), {})) return false;
      totals.add(one, ranks.size());
    }
    return true;
  }

  void one_rank(const std::vector<Node>& nodes, StreamTotals& totals) {
    StreamTotals one(trace_.signatures.size());
    if (options_.closed_forms && ClosedForm(trace_, one).list(nodes, {}))
      totals.add(one, 1);
    else
      walk(nodes, nullptr, options_.walked_events, totals);
  }

  /// The files that were opened; runs a stream only if a name varies inside its loops.
  void names(const Stream& s, const RankSet& ranks) {
    if (constant_names(s.nodes)) return;
    for_ranks(ranks, [&](uint32_t rank) {
      if (files_.size() >= options_.files) {
        summary_.files_complete = false;
        return;
      }
      std::vector<Node> nodes = at_rank(s.nodes, ranks, rank);
      if (constant_names(nodes)) return;
      StreamTotals ignored(trace_.signatures.size());
      bool complete = std::exchange(summary_.complete, true);
      std::swap(walked_, walked_for_names_);
      walk(nodes, nullptr, options_.walked_events, ignored);
      summary_.files_complete &= summary_.complete;
      summary_.complete = complete;
      std::swap(walked_, walked_for_names_);
    });
  }

  /// Runs a tree: all of it up to `limit` events, or the first `limit` events of a layer.
  void walk(const std::vector<Node>& nodes, const Stream* layer, uint64_t limit, StreamTotals& totals) {
    if (summary_.damaged) return;
    Expander expander(nodes);
    uint64_t counted = 0;
    for (uint64_t idle = 0;; ++walked_) {
      if (layer && counted == limit) return;
      if (walked_ >= options_.walked_events) break;
      Expander::Event e = expander.next();
      walked_ += expander.idle_steps() - std::exchange(idle, expander.idle_steps());
      if (!e.node) {
        summary_.damaged |= expander.damaged();
        return;
      }
      const Signature& s = trace_.signatures[e.node->signature];
      if (layer && !s.in_stream_of(layer->layer)) continue;
      count(s, e, totals);
      ++counted;
    }
    if (expander.next().node || expander.damaged()) summary_.complete = false;
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
    });
    const FileRule& rule = rules_[e.node->signature];
    if (rule.opens()) file(rule, e.parameters.subspan(rule.path));
  }

  void file(const FileRule& rule, std::span<const int64_t> parameters) {
    auto path = text_at(trace_.templates, parameters, rule.path_fields);
    if (!path) return;
    if (files_.size() < options_.files)
      files_.insert(std::move(*path));
    else if (!files_.count(*path))
      summary_.files_complete = false;
  }

  void count_nodes(const std::vector<Node>& nodes) {
    summary_.nodes += nodes.size();
    for (const Node& n : nodes) count_nodes(n.body);
  }

  /// Collects the files whose names are constant; false if some name varies.
  bool constant_names(const std::vector<Node>& nodes) {
    bool all = true;
    for (const Node& n : nodes) {
      all &= constant_names(n.body);
      if (n.kind != NodeKind::event) continue;
      const FileRule& rule = rules_[n.signature];
      if (!rule.opens()) continue;
      std::vector<int64_t> numbers;
      for (size_t i = rule.path; i <= rule.path + rule.path_fields; ++i)
        if (n.parameters[i].is_constant()) numbers.push_back(n.parameters[i].constant_value());
      if (numbers.size() == rule.path_fields + 1)
        file(rule, numbers);
      else
        all = false;
    }
    return all;
  }

  void times(const std::vector<Node>& nodes, StreamTotals& totals) {
    for (const Node& n : nodes) {
      if (n.kind == NodeKind::event) {
        totals.by_signature[n.signature].time_ns += n.timing.duration.sum_ns();
        summary_.communication.add(n.timing.communication);  // only outer events have any
      }
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
  std::vector<FileRule> rules_;
  Summary summary_;
  uint64_t walked_ = 0, walked_for_names_ = 0;  ///< events that were run
  uint64_t stream_nodes_ = 1;                   ///< of the stream
  uint64_t looked_at_ = 0;                      ///< nodes, of one rank each
  FunctionMap outer_, inner_;
  std::map<std::string, FunctionMap> layers_;
  std::set<std::string> files_;
};

}  // namespace

void FunctionTotals::add(const FunctionTotals& other) {
  calls += other.calls;
  failed += other.failed;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  time_ns += other.time_ns;
}

Summary summarize(const Trace& trace, const SummaryOptions& options) {
  return Summarizer(trace, options).run();
}

}  // namespace refrain::measure
