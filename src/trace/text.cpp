// The text of a trace, folded (print) or call by call (print_expanded); see text.hpp. Calls and values
// are printed by call_text and expression; here is what stands around them.
#include "trace/text.hpp"

#include "trace/at_rank.hpp"
#include "trace/call_text.hpp"
#include "trace/expand.hpp"
#include "trace/notes.hpp"

namespace refrain::trace {
namespace {

/// A duration with two or more significant digits and its unit, from integers alone.
std::string duration_text(uint64_t ns) {
  struct Unit {
    uint64_t ns;
    const char* name;
  };
  if (ns < 1000) return std::to_string(ns) + "ns";
  Unit unit{1000, "us"};
  for (Unit u : {Unit{1'000'000, "ms"}, Unit{1'000'000'000, "s"}})
    if (ns >= u.ns) unit = u;
  uint64_t tenths = ns / (unit.ns / 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + unit.name;
}

uint64_t mean(const Histogram& h) { return h.count() == 0 ? 0 : h.sum_ns() / h.count(); }

const char* ending_text(Ending ending) {
  switch (ending) {
    case Ending::exited:
      return "exited";
    case Ending::replaced:
      return "replaced by exec";
    case Ending::early:
      return "ended early";
  }
  return "";
}

void put_loss(TextOut& out, const Loss& loss) {
  if (loss.total() == 0) return;
  out << "  LOST " << loss.total() << " calls:";
  const char* comma = " ";
  auto part = [&](uint64_t n, const char* why) {
    if (n == 0) return;
    out << comma << n << why;
    comma = ", ";
  };
  part(loss.no_space, " could not be written");
  part(loss.in_handlers, " in signal handlers");
  part(loss.abandoned, " left by longjmp");
  part(loss.unknown, " for other reasons");
  out << "\n";
}

/// Which explanations and tables the text below needs.
struct Needs {
  bool executions = false, previous = false, copies = false, places = false;
  bool names = false, lists = false;

  void look_at(const Trace& trace, const std::vector<Node>& nodes, const RankSet& around) {
    for (const Node& node : nodes) {
      const RankSet& ranks = ranks_of(node, around);
      look_at(node.count, ranks);
      for (const Value& v : node.parameters) look_at(v, ranks);
      if (node.kind == NodeKind::event) look_at_indices(trace, nodes, node);
      look_at(trace, node.body, ranks);
    }
  }

 private:
  void look_at(const Number& n, const RankSet& ranks) {
    places |= n.table() && ranks != RankSet::range(0, static_cast<uint32_t>(ranks.size()));
  }

  void look_at(const Value& v, const RankSet& ranks) {
    for (const Alternative& a : v.alternatives) look_at(a.value, a.ranks);
    look_at(v.base, ranks);
    look_at(v.step, ranks);
    for (const Number& n : v.slopes) look_at(n, ranks);
    for (const Number& n : v.entries) look_at(n, ranks);
    executions |= v.form == Form::counter || v.form == Form::column;
    previous |= v.form == Form::running;
    copies |= v.form == Form::copy;
  }

  void look_at_indices(const Trace& trace, const std::vector<Node>& siblings, const Node& node) {
    const Signature& s = trace.signatures[node.signature];
    ValueParameters parameters(Scope{trace.signatures, siblings, node, node.ranks});
    size_t at = 0;
    auto operand = [&](const Operand& o) {
      std::string index;
      bool varies = o.parameters() > 0 && !node.parameters[at].is_constant();
      if (o.kind == OperandKind::text && varies) names |= !parameters.table(at, index);
      if (o.kind == OperandKind::long_list && varies) lists = true;
      at += o.parameters();
    };
    for (const Operand& o : s.operands) operand(o);
    operand(s.result);
  }
};

/// What stands in the line of a node, but for times.
void put_line(TextOut& out, const Trace& trace, const Scope& scope, size_t loops) {
  const Node& node = scope.node;
  if (!node.ranks.empty()) out << "[ranks " << node.ranks.text() << "] ";
  if (node.kind == NodeKind::group) return;
  if (node.kind == NodeKind::event)
    return put_call(out, trace, trace.signatures[node.signature], ValueParameters(scope));
  out << (node.kind == NodeKind::loop ? "loop " + loop_variable(loops) + " " : "choose ");
  put_value(out, node.count, scope);
}

class TracePrinter {
 public:
  TracePrinter(const Trace& trace, const TextOptions& options, TextOut& out)
      : trace_(trace), options_(options), out_(out), estimates_(has_estimates(trace)) {}

  void head() {
    out_ << "trace " << quoted(trace_.command);
    if (trace_.nprocs > 0) out_ << " ranks " << uint64_t{trace_.nprocs};
    if (trace_.scale_free()) {
      out_ << " ranks P, from";
      for (uint32_t size : trace_.sizes)
        out_ << (size == trace_.sizes.front() ? " " : ", ") << uint64_t{size};
    }
    const char* before = " layers ";
    for (const std::string& layer : trace_.layers) {
      out_ << before << plain_name(layer);
      before = ",";
    }
    if (options_.times) {
      out_ << "  # ";
      if (!trace_.host.empty() || !is_imported(trace_.recorder))
        out_ << "host " << plain_name(trace_.host) << ", ";
      out_ << (is_imported(trace_.recorder) ? "imported from " : "recorded by refrain ")
           << plain_name(trace_.recorder);
    }
    out_ << "\n";
    for (const std::string& note : trace_.notes)
      if (options_.times || !note.starts_with(Trace::estimates_note)) out_ << "note " << quoted(note) << "\n";
  }

  void explanations() {
    Needs needs;
    for (const Process& p : trace_.processes)
      for (const Stream& s : p.streams)
        if (shown(s)) needs.look_at(trace_, s.nodes, ranks_of(s, p));
    if (needs.executions) out_ << "# t: how often the call or loop was executed before\n";
    if (needs.places) out_ << "# place: of the rank among those that run the call or loop, from 0\n";
    if (needs.previous)
      out_ << "# a then previous + argN: a at first, later the previous value plus the previous argument N\n";
    if (needs.copies) out_ << "# callN.argM: argument M (from 1) of call N (from 0) of the same body\n";
    for (size_t i = 0; needs.names && i < trace_.templates.size(); ++i) {
      out_ << "name " << uint64_t{i} << " ";
      put_template(out_, trace_.templates[i]);
      out_ << "\n";
    }
    for (size_t i = 0; needs.lists && i < trace_.lists.size(); ++i) {
      out_ << "list " << uint64_t{i} << " ";
      put_column(out_, trace_.lists[i]);
      out_ << "\n";
    }
  }

  void process_head(const Process& p, size_t number) {
    out_ << "process " << uint64_t{number} << " ";
    if (!p.ranks.empty()) out_ << "ranks " << p.ranks.text() << " ";
    out_ << quoted(p.program) << " " << ending_text(p.ending);
    if (!p.ended_early.empty()) out_ << ", ranks " << p.ended_early.text() << " ended early";
    if (options_.times) {
      out_ << "  # ";
      if (p.pid != 0) out_ << "pid " << uint64_t{p.pid} << " of " << uint64_t{p.parent_pid} << ", ";
      out_ << "started " << p.start_ns / 1'000'000'000;
      elapsed(p);
    }
    out_ << "\n";
    if (options_.times) {
      out_ << "  # in " << quoted(p.directory) << ":";
      for (const std::string& argument : p.arguments) out_ << " " << quoted(argument);
      out_ << "\n";
    }
    put_loss(out_, p.loss);
    for (const RankLoss& lost : p.losses) {
      out_ << "  rank " << uint64_t{lost.rank};
      put_loss(out_, lost.loss);
    }
    for (const Step& step : p.steps) put_step(step);
  }

  void put_step(const Step& step) { out_ << "  " << step_text(step) << "\n"; }

  /// Returns how far to indent the calls of the stream.
  size_t stream_head(const Stream& s, const RankSet& ranks) {
    if (s.thread == 0 && s.layer.empty() && s.ranks.empty()) return 1;
    out_ << "  thread " << uint64_t{s.thread};
    if (!s.layer.empty()) out_ << " layer " << plain_name(s.layer);
    if (!s.ranks.empty()) out_ << " ranks " << s.ranks.text();
    if (!(s.prefix == 0)) {
      out_ << ", after ";
      put_number(out_, s.prefix, ranks);
      out_ << " calls as above";
    }
    out_ << "\n";
    return 2;
  }

  bool shown(const Stream& s) const { return s.layer.empty() || options_.layers; }

  /// `around`: the ranks that run what encloses the list.
  void nodes(const std::vector<Node>& list, const RankSet& around, size_t indent, size_t loops) {
    for (const Node& node : list) print_node(node, list, around, indent, loops);
  }

 private:
  void print_node(const Node& node, const std::vector<Node>& siblings, const RankSet& around, size_t indent,
                  size_t loops) {
    Scope scope{trace_.signatures, siblings, node, ranks_of(node, around)};
    if (node.kind == NodeKind::group && node.ranks.empty()) return nodes(node.body, around, indent, loops);
    out_.indent(indent);
    put_line(out_, trace_, scope, loops);
    if (node.kind == NodeKind::event) {
      if (options_.times && node.time_law) laws(*node.time_law);
      if (options_.times && !node.time_law) times(node.timing);
      out_ << "\n";
      return;
    }
    if (node.kind == NodeKind::group) {
      out_ << "\n";
      return nodes(node.body, scope.ranks, indent + 1, loops);
    }
    out_ << "\n";
    if (node.kind == NodeKind::loop) return nodes(node.body, scope.ranks, indent + 1, loops + 1);
    for (size_t arm = 0; arm < node.body.size(); ++arm) {
      out_.indent(indent + 1);
      out_ << uint64_t{arm} << ":\n";
      print_node(node.body[arm], node.body, scope.ranks, indent + 2, loops);
    }
  }

  void times(const Timing& t) {
    if (t.duration.count() == 0) return;
    out_ << (estimates_ ? "  # about " : "  # ") << t.duration.count() << "x gap "
         << duration_text(mean(t.gap));
    for (size_t c = 0; c < communication_classes; ++c)
      if (uint64_t ns = t.communication.ns[c])
        out_ << " (" << communication_names[c] << " " << duration_text(ns / t.duration.count()) << ")";
    out_ << " call " << duration_text(mean(t.duration));
  }

  void laws(const TimingLaw& law) {
    out_ << "  # about gap " << law.of(TimeClass::compute).text();
    for (size_t c = 0; c < communication_classes; ++c)
      if (const TimeModel& m = law.models[static_cast<size_t>(TimeClass::point_to_point) + c]; !m.is_zero())
        out_ << " and " << communication_names[c] << " " << m.text();
    out_ << " call " << law.of(TimeClass::call).text();
  }

  void elapsed(const Process& p) {
    if (p.elapsed_law.is_zero())
      out_ << (estimates_ ? ", took about " : ", took ") << duration_text(p.elapsed_ns);
    else
      out_ << ", takes about " << p.elapsed_law.text();
  }

  const Trace& trace_;
  const TextOptions& options_;
  TextOut& out_;
  bool estimates_;  ///< times were not measured
};

/// Runs streams and prints their events.
class ExpandedPrinter {
 public:
  ExpandedPrinter(const Trace& trace, TextOut& out) : trace_(trace), out_(out) {}

  void stream(const Process& process, const Stream& s, size_t indent) {
    if (s.prefix.constant() > 0)
      for (const Stream& outer : process.streams)
        if (outer.layer.empty() && outer.thread == s.thread)
          run(outer.nodes, indent, &s.layer, static_cast<uint64_t>(s.prefix.constant()));
    run(s.nodes, indent, nullptr, UINT64_MAX);
  }

 private:
  /// At most `limit` events, only those of `layer` if given.
  void run(const std::vector<Node>& nodes, size_t indent, const std::string* layer, uint64_t limit) {
    Expander expander(nodes);
    for (uint64_t printed = 0; printed < limit;) {
      Expander::Event e = expander.next();
      if (!e.node) break;
      const Signature& s = trace_.signatures[e.node->signature];
      if (layer && !s.in_stream_of(*layer)) continue;
      out_.indent(indent);
      put_call(out_, trace_, s, NumberParameters(e.parameters));
      out_ << "\n";
      ++printed;
    }
    if (expander.damaged()) out_ << "DAMAGED: the values of the calls that follow are missing\n";
  }

  const Trace& trace_;
  TextOut& out_;
};

}  // namespace

void print(const Trace& trace, const TextOptions& options, const Sink& sink) {
  TextOut out(sink);
  TracePrinter printer(trace, options, out);
  printer.head();
  printer.explanations();
  for (size_t p = 0; p < trace.processes.size(); ++p) {
    const Process& process = trace.processes[p];
    printer.process_head(process, p);
    for (const Stream& s : process.streams) {
      const RankSet& ranks = ranks_of(s, process);
      if (printer.shown(s)) printer.nodes(s.nodes, ranks, printer.stream_head(s, ranks), 0);
    }
  }
  out.flush();
}

void print_expanded(const Trace& trace, const TextOptions& options, const Sink& sink) {
  TextOut out(sink);
  TracePrinter printer(trace, options, out);
  ExpandedPrinter expanded(trace, out);
  printer.head();
  auto one = [&](const Process& process, size_t number) {
    printer.process_head(process, number);
    for (const Stream& s : process.streams)
      if (printer.shown(s)) expanded.stream(process, s, printer.stream_head(s, process.ranks));
  };
  for (size_t p = 0; p < trace.processes.size(); ++p) {
    const Process& process = trace.processes[p];
    if (process.ranks.empty()) one(process, p);
    for (uint64_t k = 0, n = process.ranks.size(); k < n; ++k) one(at_rank(process, process.ranks.at(k)), p);
  }
  out.flush();
}

std::string_view step_name(Step::Kind kind) {
  static constexpr std::string_view names[] = {"starts", "becomes", "awaits", "tells", "hears"};
  return names[static_cast<size_t>(kind)];
}

std::string step_text(const Step& step) {
  static constexpr const char* texts[] = {"starts process ", "becomes process ", "awaits the end of process ",
                                          "tells ", "hears "};
  return "after " + std::to_string(step.at) + (step.at == 1 ? " call: " : " calls: ") +
         texts[static_cast<size_t>(step.kind)] + std::to_string(step.number);
}

std::string node_text(const Trace& trace, const std::vector<Node>& siblings, const Node& node,
                      const RankSet& around, size_t loops) {
  std::string text;
  const Sink sink = [&](std::string_view piece) { text += piece; };
  TextOut out(sink);
  put_line(out, trace, {trace.signatures, siblings, node, ranks_of(node, around)}, loops);
  out.flush();
  return text;
}

std::string event_text(const Trace& trace, const Signature& signature, std::span<const int64_t> parameters) {
  std::string text;
  if (parameters.size() != signature.parameters()) return plain_name(signature.function) + "(?)";
  const Sink sink = [&](std::string_view piece) { text += piece; };
  TextOut out(sink);
  put_call(out, trace, signature, NumberParameters(parameters));
  out.flush();
  return text;
}

}  // namespace refrain::trace
