#include "plan/first_data.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "plan/call_files.hpp"
#include "plan/only_data.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"

namespace refrain::plan {
namespace {

/// Whether the node is still there after at_rank.
bool runs(const trace::Node& node, uint32_t rank) {
  if (!node.ranks.empty() && !node.ranks.position(rank)) return false;
  if (node.kind == trace::NodeKind::event || node.kind == trace::NodeKind::choice) return true;
  return std::any_of(node.body.begin(), node.body.end(),
                     [&](const trace::Node& inner) { return runs(inner, rank); });
}

}  // namespace

std::optional<size_t> first_data(const trace::Trace& trace, const trace::Process& process,
                                 const trace::Stream& stream, uint64_t calls) {
  if (trace.scale_free()) return {};
  FileTies ties;
  CallFiles files(trace, ties);
  std::map<size_t, size_t> first;  // node by file
  auto run = [&](const std::vector<trace::Node>& nodes, const std::vector<size_t>& numbers) {
    files.begin();
    trace::Expander expander(nodes);
    for (auto e = expander.next(); e.node != nullptr && calls > 0; e = expander.next(), --calls) {
      size_t file = files.take(e.node->signature, e.parameters), node = numbers[e.outermost];
      ties.files()[file].bytes += files.bytes(e.node->signature, e.parameters);
      auto [found, fresh] = first.try_emplace(file, node);
      if (!fresh) found->second = std::min(found->second, node);
    }
  };
  const trace::RankSet& ranks = trace::ranks_of(stream, process);
  for (uint64_t k = 0; k < std::max<uint64_t>(1, ranks.size()) && calls > 0; ++k) {
    uint32_t rank = ranks.empty() ? 0 : ranks.at(k);
    std::vector<size_t> numbers;
    for (size_t i = 0; i < stream.nodes.size(); ++i)
      if (ranks.empty() || runs(stream.nodes[i], rank)) numbers.push_back(i);
    run(ranks.empty() ? stream.nodes : trace::at_rank(stream.nodes, ranks, rank), numbers);
  }
  if (calls == 0) return {};
  std::vector<bool> kept = ties.kept(default_above);
  std::optional<size_t> found;
  for (auto [file, node] : first)
    if (kept[file] && ties.files()[file].bytes > default_above) found = std::min(found.value_or(node), node);
  return found;
}

}  // namespace refrain::plan
