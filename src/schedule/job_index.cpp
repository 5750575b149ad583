// A k-d tree: the jobs are split at the median of their nodes, the halves at the median of their load, the
// quarters at that of their time, and so on. Every node of the tree knows the first of its jobs that is
// present, the least nodes, load and time that any of these needs, and the most that any of its jobs needs.
// A search for the first job that fits passes over a node if something in it comes too late or is too large
// for sure, takes the node's first job at once if all of them fit, and looks into it otherwise.
//
// Why not a list in the order of preference with the least nodes and load of each stretch: a mapper takes all
// jobs that fit, so what is left are jobs of few nodes and much load beside others of many nodes and little
// load, everywhere in the list, and to find that none fits would cost a look at each of them. Here, what is
// looked into in vain are nodes whose jobs lie on both sides of at least two of the three limits, of which
// there are few: with nodes and load alone, only those around the one point at which the limits meet.
#include "schedule/job_index.hpp"

#include <algorithm>

namespace refrain::schedule {

void JobIndex::Box::include(const Box& other) {
  least = {std::min(least.nodes, other.least.nodes), std::min(least.load, other.least.load),
           std::min(least.time, other.least.time)};
  most = {std::max(most.nodes, other.most.nodes), std::max(most.load, other.most.load),
          std::max(most.time, other.most.time)};
  first = std::min(first, other.first);
}

JobIndex::JobIndex(const std::vector<Room>& needs, const std::vector<bool>& present)
    : entry_of_(needs.size()) {
  for (uint32_t i = 0; i < needs.size(); ++i) entries_.push_back({needs[i], i, present[i]});
  size_t nodes = 2;
  for (size_t size = needs.size(); size > leaf_size; size = (size + 1) / 2) nodes *= 2;
  boxes_.resize(nodes);
  build(whole(), 0);
  for (uint32_t i = 0; i < entries_.size(); ++i) entry_of_[entries_[i].position] = i;
}

void JobIndex::build(const Range& range, int axis) {
  if (!range.is_leaf()) {
    auto split = [&](auto key) {
      std::nth_element(entries_.begin() + range.begin, entries_.begin() + range.middle(),
                       entries_.begin() + range.end,
                       [&](const Entry& a, const Entry& b) { return key(a.need) < key(b.need); });
    };
    if (axis == 0) split([](const Room& need) { return need.nodes; });
    if (axis == 1) split([](const Room& need) { return need.load; });
    if (axis == 2) split([](const Room& need) { return need.time; });
    build(range.lower(), (axis + 1) % 3);
    build(range.upper(), (axis + 1) % 3);
  }
  enclose(range);
}

void JobIndex::enclose(const Range& range) {
  Box box;
  if (!range.is_leaf()) {
    box.include(boxes_[range.lower().node]);
    box.include(boxes_[range.upper().node]);
  } else {
    for (uint32_t i = range.begin; i < range.end; ++i) {
      const Entry& entry = entries_[i];
      Box single{.most = entry.need};
      if (entry.present) {
        single.least = entry.need;
        single.first = entry.position;
      }
      box.include(single);
    }
  }
  boxes_[range.node] = box;
}

void JobIndex::update(const Range& range, uint32_t entry) {
  if (!range.is_leaf()) update(entry < range.middle() ? range.lower() : range.upper(), entry);
  enclose(range);
}

void JobIndex::set_present(uint32_t position, bool present) {
  uint32_t entry = entry_of_[position];
  entries_[entry].present = present;
  update(whole(), entry);
}

void JobIndex::search(const Range& range, const Room& room, uint32_t& best) const {
  const Box& box = boxes_[range.node];
  if (box.first >= best || !room.holds(box.least)) return;
  if (room.holds(box.most)) {
    best = box.first;
    return;
  }
  if (range.is_leaf()) {
    for (uint32_t i = range.begin; i < range.end; ++i) {
      const Entry& entry = entries_[i];
      if (entry.present && entry.position < best && room.holds(entry.need)) best = entry.position;
    }
    return;
  }
  bool upper_first = boxes_[range.upper().node].first < boxes_[range.lower().node].first;
  search(upper_first ? range.upper() : range.lower(), room, best);
  search(upper_first ? range.lower() : range.upper(), room, best);
}

std::optional<uint32_t> JobIndex::first(const Room& room) const {
  uint32_t best = none;
  search(whole(), room, best);
  if (best == none) return std::nullopt;
  return best;
}

}  // namespace refrain::schedule
