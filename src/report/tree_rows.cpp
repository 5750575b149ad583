#include "report/tree_rows.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "trace/at_rank.hpp"
#include "trace/call_text.hpp"

namespace refrain::report {

using namespace trace;

namespace {

/// Longer texts, tables of values for instance, are cut off.
constexpr size_t longest_text = 400;

struct RowSums {
  uint64_t calls = 0, time_ns = 0, gap_ns = 0;
  void add(const RowSums& other) {
    calls += other.calls;
    time_ns += other.time_ns;
    gap_ns += other.gap_ns;
  }
};

class RowMaker {
 public:
  RowMaker(const Trace& trace, uint64_t most_nodes) : trace_(trace), left_(most_nodes) {}

  Json process(const Process& p, size_t number) {
    Json below = Json::array();
    RowSums sums;
    for (const Stream& s : p.streams) {
      if (!s.layer.empty()) continue;
      RowSums own;
      Json nodes = list(s.nodes, ranks_of(s, p), 0, own);
      sums.add(own);
      if (s.thread == 0 && s.ranks.empty())
        for (Json& node : nodes) below.push_back(std::move(node));
      else
        below.push_back(
            row(fmt::format("thread {}{}", s.thread, ranks_text(s.ranks)), own, std::move(nodes)));
    }
    std::string program = std::filesystem::path(p.program).filename().string();
    return row(fmt::format("process {}{} {}", number, ranks_text(p.ranks), program), sums, std::move(below));
  }

  bool cut() const { return cut_; }

 private:
  static std::string ranks_text(const RankSet& ranks) {
    return ranks.empty() ? "" : " ranks " + ranks.text();
  }

  static Json row(std::string text, const RowSums& sums, Json below) {
    if (text.size() > longest_text) text = text.substr(0, longest_text) + "...";
    Json json = Json::array({std::move(text), sums.calls, sums.time_ns, sums.gap_ns});
    if (!below.is_null()) json.push_back(std::move(below));
    return json;
  }

  Json list(const std::vector<Node>& nodes, const RankSet& around, size_t loops, RowSums& sums) {
    Json rows = Json::array();
    for (const Node& n : nodes) {
      if (left_ == 0) {
        cut_ = true;
        break;
      }
      --left_;
      rows.push_back(node(n, nodes, around, loops, sums));
    }
    return rows;
  }

  Json node(const Node& n, const std::vector<Node>& siblings, const RankSet& around, size_t loops,
            RowSums& sums) {
    Scope scope{trace_.signatures, siblings, n, ranks_of(n, around)};
    std::string text = n.ranks.empty() ? "" : "[ranks " + n.ranks.text() + "] ";
    const Sink sink = [&](std::string_view piece) { text += piece; };
    TextOut out(sink);
    RowSums own;
    Json below;
    bool loop = n.kind == NodeKind::loop;
    if (n.kind == NodeKind::event) {
      put_call(out, trace_, trace_.signatures[n.signature], ValueParameters(scope));
      if (n.time_law) out << "  # about " << n.time_law->of(TimeClass::call).text();
      own = {n.timing.duration.count(), n.timing.duration.sum_ns(), n.timing.gap.sum_ns()};
    } else {
      out << (loop                         ? "loop " + loop_variable(loops) + " "
              : n.kind == NodeKind::choice ? "choose "
                                           : "together");
      if (n.kind != NodeKind::group) put_value(out, n.count, scope);
      below = list(n.body, scope.ranks, loops + (loop ? 1 : 0), own);
    }
    out.flush();
    sums.add(own);
    return row(std::move(text), own, std::move(below));
  }

  const Trace& trace_;
  uint64_t left_;
  bool cut_ = false;
};

}  // namespace

TreeRows tree_rows(const Trace& trace, uint64_t most_nodes) {
  RowMaker maker(trace, most_nodes);
  TreeRows rows;
  for (size_t p = 0; p < trace.processes.size(); ++p)
    rows.roots.push_back(maker.process(trace.processes[p], p));
  for (const Process& p : trace.processes)
    for (const Stream& s : p.streams)
      if (!s.layer.empty()) rows.layers.insert(s.layer);
  rows.cut = maker.cut();
  return rows;
}

}  // namespace refrain::report
