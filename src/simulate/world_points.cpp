// Where members wait for each other: barriers and collective transfers. Who makes the call together is taken
// to be whoever makes it at this place of the program.
#include <algorithm>
#include <cmath>

#include "simulate/world.hpp"

namespace refrain::simulate {

World::Point& World::point_of(size_t m) {
  const Member& member = members_[m];
  Running& running = running_[member.application];
  auto [entry, is_new] = running.points.try_emplace(member.operation.place);
  if (!is_new) return entry->second;
  const trace::RankSet* who = member.operation.participants;
  for (size_t other = 0; other < members_.size(); ++other) {
    const Member& candidate = members_[other];
    const Group& group = candidate.walk->group();
    if (candidate.application != member.application || candidate.ended) continue;
    if (group.outer != member.walk->group().outer) continue;
    if (who == nullptr || who->empty() || who->contains(group.ranks.front()))
      entry->second.participants.push_back(other);
  }
  return entry->second;
}

void World::arrive(size_t m) {
  Point& point = point_of(m);
  members_[m].blocked = true;
  point.waiting.push_back(m);
  if (point.is_complete()) release(members_[m].application, point);
}

void World::release(uint32_t application, Point& point) {
  std::vector<size_t> members = std::move(point.waiting);
  point.waiting.clear();
  std::sort(members.begin(), members.end());
  uint64_t ranks = 0;
  for (size_t m : members) {
    members_[m].blocked = false;
    members_[m].step = Step::next;
    ranks += members_[m].walk->ranks();
  }
  if (members_[members.front()].operation.kind == Operation::Kind::transfer) {
    return through_gate(application,
                        [this, application, members] { collective_transfer(application, members); });
  }
  Flow flow{.kind = Flow::Kind::pause, .application = application, .members = std::move(members)};
  flow.volume.barriers = ranks;
  flow.delay_s = machine_.latency_s * std::ceil(std::log2(std::max(1.0, static_cast<double>(ranks))));
  request(std::move(flow));
}

/// Nothing is under way any more, and still members wait: their calls don't belong together after all.
void World::release_stuck() {
  for (uint32_t a = 0; a < running_.size(); ++a) {
    std::vector<Point*> stuck;
    for (auto& [place, point] : running_[a].points)
      if (!point.waiting.empty()) stuck.push_back(&point);
    std::sort(stuck.begin(), stuck.end(),
              [](const Point* x, const Point* y) { return x->waiting.front() < y->waiting.front(); });
    for (Point* point : stuck) {
      ++stuck_;
      release(a, *point);
    }
  }
}

}  // namespace refrain::simulate
