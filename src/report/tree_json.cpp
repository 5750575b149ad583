#include "report/tree_json.hpp"

#include "report/info_json.hpp"
#include "trace/at_rank.hpp"
#include "trace/call_text.hpp"
#include "trace/text.hpp"
#include "trace/time_law.hpp"

namespace refrain::report {

using namespace trace;

namespace {

/// Version of the description in docs/trace-json.md.
constexpr int schema_version = 1;

/// What the calls below a node add up to.
struct Sums {
  uint64_t calls = 0, time_ns = 0;
  void add(const Node& node) {
    calls += node.timing.duration.count();
    time_ns += node.timing.duration.sum_ns();
    for (const Node& n : node.body) add(n);
  }
};

std::string value_text(const Value& value, const Scope& scope) {
  std::string text;
  const Sink sink = [&](std::string_view piece) { text += piece; };
  TextOut out(sink);
  put_value(out, value, scope);
  out.flush();
  return text;
}

class TreePrinter {
 public:
  TreePrinter(const Trace& trace, const TreeOptions& options, TextOut& out)
      : trace_(trace), options_(options), out_(out) {}

  void print() {
    std::vector<std::string> notes = trace_.notes;
    if (!options_.times)
      std::erase_if(notes, [](const std::string& n) { return n.starts_with(Trace::estimates_note); });
    Json head{{"schema", schema_version},
              {"command", trace_.command},
              {"nprocs", trace_.nprocs},
              {"layers", trace_.layers},
              {"notes", notes},
              {"scale_free", trace_.scale_free()},
              {"recorder", trace_.recorder}};
    if (trace_.scale_free()) head["sizes"] = trace_.sizes;
    if (options_.times) head["host"] = trace_.host;
    if (options_.times) head["times_are_estimates"] = has_estimates(trace_);
    open_with(head, "processes");
    for (const Process& p : trace_.processes) {
      separate(&p == &trace_.processes.front());
      process(p);
    }
    out_ << "]}\n";
  }

 private:
  void separate(bool first) { out_ << (first ? "\n" : ",\n"); }

  /// An object whose last member is a list that follows, piece by piece.
  void open_with(const Json& members, const char* list) {
    std::string text = text_of(members, -1);
    text.pop_back();
    out_ << text << ",\"" << list << "\":[";
  }

  void process(const Process& p) {
    Json head{{"program", p.program},
              {"ranks", p.ranks.text()},
              {"ending", ending_name(p.ending)},
              {"ended_early", p.ended_early.text()},
              {"lost", p.loss.total()}};
    if (options_.times) {
      head["pid"] = p.pid;
      head["directory"] = p.directory;
      head["arguments"] = p.arguments;
      head["start_ns"] = p.start_ns;
      head["elapsed_ns"] = p.elapsed_ns;
      if (!p.elapsed_law.is_zero()) head["elapsed_law"] = p.elapsed_law.text();
    }
    for (const trace::Step& step : p.steps)
      head["steps"].push_back(
          {{"step", std::string(trace::step_name(step.kind))}, {"after", step.at}, {"number", step.number}});
    open_with(head, "streams");
    bool first = true;
    for (const Stream& s : p.streams) {
      if (!s.layer.empty() && !options_.layers) continue;
      separate(std::exchange(first, false));
      stream(s, ranks_of(s, p));
    }
    out_ << "]}";
  }

  void stream(const Stream& s, const RankSet& ranks) {
    Json head{{"thread", s.thread}, {"layer", s.layer}, {"ranks", s.ranks.text()}};
    if (!(s.prefix == 0)) {
      std::string after;
      const Sink sink = [&](std::string_view piece) { after += piece; };
      TextOut text(sink);
      put_number(text, s.prefix, ranks);
      text.flush();
      head["after"] = after;
    }
    open_with(head, "body");
    list(s.nodes, ranks, 0);
    out_ << "]}";
  }

  void list(const std::vector<Node>& nodes, const RankSet& around, size_t loops) {
    for (const Node& n : nodes) {
      separate(&n == &nodes.front());
      node(n, nodes, around, loops);
    }
  }

  void node(const Node& n, const std::vector<Node>& siblings, const RankSet& around, size_t loops) {
    Scope scope{trace_.signatures, siblings, n, ranks_of(n, around)};
    Json head = Json::object();
    if (!n.ranks.empty()) head["ranks"] = n.ranks.text();
    if (n.kind == NodeKind::event) {
      call(n, scope, head);
      out_ << text_of(head, -1);
      return;
    }
    bool loop = n.kind == NodeKind::loop;
    head["kind"] = loop ? "loop" : n.kind == NodeKind::choice ? "choice" : "group";
    if (loop) head["variable"] = loop_variable(loops);
    if (n.kind != NodeKind::group) head["count"] = value_text(n.count, scope);
    if (options_.times) {
      Sums sums;
      sums.add(n);
      head["calls"] = sums.calls;
      head["time_ns"] = sums.time_ns;
    }
    open_with(head, "body");
    list(n.body, scope.ranks, loops + (loop ? 1 : 0));
    out_ << "]}";
  }

  void call(const Node& n, const Scope& scope, Json& head) {
    const Signature& s = trace_.signatures[n.signature];
    CallPieces pieces = call_pieces(trace_, s, ValueParameters(scope));
    head["kind"] = "call";
    head["function"] = s.function;
    head["layer"] = s.layer;
    head["arguments"] = pieces.arguments;
    if (!pieces.result.empty()) head["result"] = pieces.result;
    if (!s.error.empty()) head["error"] = s.error;
    if (!options_.times) return;
    if (n.time_law) {
      head["time_law"] = {{"gap", n.time_law->of(TimeClass::compute).text()},
                          {"call", n.time_law->of(TimeClass::call).text()}};
      return;
    }
    const Timing& t = n.timing;
    head["calls"] = t.duration.count();
    head["time_ns"] = t.duration.sum_ns();
    head["shortest_ns"] = t.duration.min_ns();
    head["longest_ns"] = t.duration.max_ns();
    head["gap_ns"] = t.gap.sum_ns();
    if (!t.communication.empty()) head["communication_ns"] = t.communication.total_ns();
  }

  const Trace& trace_;
  const TreeOptions& options_;
  TextOut& out_;
};

}  // namespace

void print_tree_json(const Trace& trace, const TreeOptions& options, const Sink& sink) {
  TextOut out(sink);
  TreePrinter(trace, options, out).print();
  out.flush();
}

}  // namespace refrain::report
