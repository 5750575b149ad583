// See value_spread.hpp. Forms that depend on the rank in other ways (running sums, copies) don't occur: see
// rank_groups.cpp.
#include "simulate/value_spread.hpp"

#include "trace/power.hpp"

namespace refrain::simulate {

using namespace trace;

Spread ValueSpread::differences(const Number& number, const RankSet& within,
                                const std::vector<uint32_t>& ranks) const {
  Spread spread;
  if (number.is_constant() || ranks.size() < 2) return spread;
  auto at = [&](uint32_t rank) {
    return number.at(rank, within.empty() ? 0 : within.position(rank).value_or(0));
  };
  int64_t first = at(ranks.front());
  for (uint32_t rank : ranks) spread.push(wrap_sub(at(rank), first));
  return spread;
}

ValueSpread::ValueSpread(const Value& value, const RankSet& within, const std::vector<uint32_t>& ranks)
    : ranks_(ranks.size()) {
  const Value* v = &value;
  const RankSet* set = &within;
  if (value.form == Form::by_rank) {
    for (const Alternative& alternative : value.alternatives) {
      if (!alternative.ranks.contains(ranks.front())) continue;
      v = &alternative.value;
      set = &alternative.ranks;
      break;
    }
  }
  form_ = v->form;
  depth_ = v->depth;
  ratio_ = v->ratio;
  base_ = differences(v->base, *set, ranks);
  step_ = differences(v->step, *set, ranks);
  for (const Number& slope : v->slopes) slopes_.push_back(differences(slope, *set, ranks));
  for (const Number& entry : v->entries) entries_.push_back(differences(entry, *set, ranks));
}

Spread ValueSpread::at(int64_t first, std::span<const int64_t> indices, uint64_t execution) const {
  Spread sum = Spread::constant(first, ranks_);
  if (base_.size() > 0) sum.add(base_);
  for (size_t d = 0; d < slopes_.size() && d < indices.size(); ++d)
    if (slopes_[d].size() > 0 && indices[d] != 0) sum.add(slopes_[d], indices[d]);
  if (step_.size() > 0 && form_ == Form::counter) sum.add(step_, static_cast<int64_t>(execution));
  if (step_.size() > 0 && form_ == Form::power && depth_ < indices.size()) {
    if (auto factor = power_product(1, ratio_, indices[depth_])) sum.add(step_, *factor);
  }
  if (!entries_.empty()) {
    uint64_t index = form_ == Form::column     ? execution
                     : depth_ < indices.size() ? static_cast<uint64_t>(indices[depth_])
                                               : 0;
    if (index < entries_.size() && entries_[index].size() > 0) sum.add(entries_[index]);
  }
  return sum;
}

}  // namespace refrain::simulate
