#include "plan/rank_classes.hpp"

#include <algorithm>
#include <map>

#include "trace/at_rank.hpp"

namespace refrain::plan {
namespace {

using trace::Node;
using trace::Number;
using trace::RankSet;
using trace::Value;

constexpr uint64_t most_comparisons = uint64_t{1} << 24;

/// A number that depends on the rank, with the ranks that have it; or a set of ranks alone.
struct Feature {
  const RankSet* ranks;
  const Number* number;
  bool operator==(const Feature& other) const {
    if ((number == nullptr) != (other.number == nullptr)) return false;
    return *ranks == *other.ranks && (number == nullptr || *number == *other.number);
  }
};

class Features {
 public:
  explicit Features(const trace::Process& process) {
    for (const trace::Stream& s : process.streams) {
      if (!s.ranks.empty()) add({&s.ranks, nullptr});
      nodes(s.nodes, trace::ranks_of(s, process));
    }
  }
  const std::vector<Feature>& list() const { return list_; }

 private:
  void nodes(const std::vector<Node>& nodes_here, const RankSet& around) {
    for (const Node& n : nodes_here) {
      if (!n.ranks.empty()) add({&n.ranks, nullptr});
      const RankSet& here = trace::ranks_of(n, around);
      value(n.count, here);
      for (const Value& v : n.parameters) value(v, here);
      nodes(n.body, here);
    }
  }
  void value(const Value& v, const RankSet& here) {
    number(v.base, here);
    number(v.step, here);
    for (const Number& n : v.slopes) number(n, here);
    for (const Number& n : v.entries) number(n, here);
    for (const trace::Alternative& a : v.alternatives) {
      add({&a.ranks, nullptr});
      value(a.value, a.ranks);
    }
  }
  void number(const Number& n, const RankSet& here) {
    if (!n.is_constant()) add({&here, &n});
  }
  void add(const Feature& feature) {
    constexpr size_t compared = 64;
    auto end = list_.begin() + static_cast<std::ptrdiff_t>(std::min(list_.size(), compared));
    if (std::find(list_.begin(), end, feature) == end) list_.push_back(feature);
  }
  std::vector<Feature> list_;
};

/// How ranks differ: which sets they are in, and what their numbers are.
std::vector<int64_t> description(const std::vector<Feature>& features, uint32_t rank) {
  std::vector<int64_t> out;
  for (const Feature& f : features) {
    auto place = f.ranks->position(rank);
    out.push_back(place ? 1 : 0);
    if (f.number != nullptr) out.push_back(place ? f.number->at(rank, *place) : 0);
  }
  return out;
}

}  // namespace

std::vector<uint32_t> typical_ranks(const trace::Process& process) {
  const RankSet& all = process.ranks;
  uint64_t count = all.size();
  Features features(process);
  std::vector<uint32_t> out;
  if (features.list().empty() && count > 3) return {all.at(0), all.at(1), all.last()};
  if (features.list().size() > most_comparisons / std::max<uint64_t>(count, 1) || count <= 3) {
    for (uint64_t i = 0; i < count; ++i) out.push_back(all.at(i));
    return out;
  }
  struct Class {
    uint64_t size = 0;
    uint32_t last = 0;
  };
  std::map<std::vector<int64_t>, Class> classes;
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t rank = all.at(i);
    Class& c = classes[description(features.list(), rank)];
    if (c.size++ < 2) out.push_back(rank);
    c.last = rank;
  }
  for (const auto& [numbers, c] : classes)
    if (c.size > 2) out.push_back(c.last);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace refrain::plan
