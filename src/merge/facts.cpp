// See facts.hpp.
#include "merge/facts.hpp"

#include <map>
#include <utility>

namespace refrain::merge {
namespace {

using trace::Loss;
using trace::Process;
using trace::RankLoss;

Loss sum(const Loss& a, const Loss& b) {
  return {.no_space = a.no_space + b.no_space,
          .in_handlers = a.in_handlers + b.in_handlers,
          .abandoned = a.abandoned + b.abandoned,
          .unknown = a.unknown + b.unknown};
}

std::vector<RankLoss> losses_of(const Process& p) {
  if (!p.losses.empty() || p.loss.total() == 0 || p.ranks.size() != 1) return p.losses;
  return {{p.ranks.first(), p.loss}};
}

}  // namespace

trace::RankSet early_ranks(const Process& p) {
  return p.ending == trace::Ending::early ? p.ranks : p.ended_early;
}

void add_counts(Process& a, const Process& b) {
  std::map<uint32_t, Loss> by_rank;
  for (const Process* p : {static_cast<const Process*>(&a), &b})
    for (const RankLoss& lost : losses_of(*p)) by_rank[lost.rank] = sum(by_rank[lost.rank], lost.loss);
  a.losses.clear();
  for (const auto& [rank, loss] : by_rank) a.losses.push_back({rank, loss});
  a.loss = sum(a.loss, b.loss);
  a.empty_tests += b.empty_tests;
}

void number_heat(Process& process) {
  if (process.ranks.size() == 1) process.heat.set_rank(process.ranks.first());
}

void add_heat(Process& a, Process& b) {
  number_heat(a);
  number_heat(b);
  a.heat.merge(std::move(b.heat));
}

}  // namespace refrain::merge
