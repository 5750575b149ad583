// All ranks begin in one group. Everything in the trees that tells ranks apart splits groups: rank sets,
// alternatives of values, and the numbers in trip counts and in values that aren't plain functions of the
// indices (running sums, copies), of which members of a group must have equal ones.
#include "simulate/rank_groups.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/hash.hpp"
#include "trace/at_rank.hpp"

namespace refrain::simulate {

using namespace trace;

namespace {

class Partition {
 public:
  explicit Partition(const RankSet& ranks)
      : ranks_(ranks.empty() ? std::vector<uint32_t>{0} : ranks.expand()), group_(ranks_.size()) {}

  void list(const std::vector<Node>& nodes, const RankSet& around, const MattersHere& matters) {
    for (const Node& node : nodes) {
      const RankSet& within = ranks_of(node, around);
      if (!node.ranks.empty()) split_by_set(node.ranks);
      if (node.kind == NodeKind::event) {
        for (size_t i = 0; i < node.parameters.size(); ++i)
          if (matters(node, i)) parameter(node.parameters[i], within, nodes, around);
      } else {
        equal_numbers(node.count, within);
        list(node.body, within, matters);
      }
    }
  }

  void split_by_set(const RankSet& set) {
    if (std::find(sets_.begin(), sets_.end(), set) != sets_.end()) return;
    sets_.push_back(set);
    split([&](uint32_t rank) { return int64_t{set.contains(rank)}; });
  }

  void split_by_number(const Number& number, const RankSet& within) {
    if (number.is_constant()) return;
    split([&](uint32_t rank) {
      auto place = within.empty() ? std::optional<uint64_t>(0) : within.position(rank);
      return place ? number.at(rank, *place) : 0;
    });
  }

  std::vector<std::vector<uint32_t>> groups() const {
    std::vector<std::vector<uint32_t>> list(count_);
    for (size_t i = 0; i < ranks_.size(); ++i) list[group_[i]].push_back(ranks_[i]);
    std::sort(list.begin(), list.end());
    return list;
  }

 private:
  void parameter(const Value& v, const RankSet& within, const std::vector<Node>& siblings,
                 const RankSet& around) {
    for (const Alternative& alternative : v.alternatives) {
      split_by_set(alternative.ranks);
      parameter(alternative.value, alternative.ranks, siblings, around);
    }
    if (v.form == Form::running) equal_numbers(v, within);
    if (v.form != Form::copy) return;
    equal_numbers(v, within);
    for (const Node& sibling : siblings)
      for (const Value& other : sibling.parameters) equal_numbers(other, ranks_of(sibling, around));
  }

  void equal_numbers(const Value& v, const RankSet& within) {
    split_by_number(v.base, within);
    split_by_number(v.step, within);
    for (const Number& slope : v.slopes) split_by_number(slope, within);
    for (const Number& entry : v.entries) split_by_number(entry, within);
    for (const Alternative& alternative : v.alternatives) {
      split_by_set(alternative.ranks);
      equal_numbers(alternative.value, alternative.ranks);
    }
  }

  template <class Key>
  void split(Key key) {
    struct PairHash {
      size_t operator()(const std::pair<uint32_t, int64_t>& p) const {
        return hash_combine(p.first, static_cast<uint64_t>(p.second));
      }
    };
    std::unordered_map<std::pair<uint32_t, int64_t>, uint32_t, PairHash> numbers;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      auto next = static_cast<uint32_t>(numbers.size());
      group_[i] = numbers.try_emplace({group_[i], key(ranks_[i])}, next).first->second;
    }
    count_ = numbers.size();
  }

  std::vector<uint32_t> ranks_;
  std::vector<uint32_t> group_;
  size_t count_ = 1;
  std::vector<RankSet> sets_;
};

}  // namespace

std::vector<std::vector<uint32_t>> group_ranks(const RankSet& ranks,
                                               const std::vector<const Stream*>& streams,
                                               const MattersHere& matters) {
  Partition partition(ranks);
  for (const Stream* stream : streams) {
    if (!stream->ranks.empty()) partition.split_by_set(stream->ranks);
    const RankSet& around = stream->ranks.empty() ? ranks : stream->ranks;
    partition.split_by_number(stream->prefix, around);
    partition.list(stream->nodes, around, matters);
  }
  return partition.groups();
}

}  // namespace refrain::simulate
