// Loops that have become steady are not simulated to their end. When all members of an application are in the
// same turn of a loop, or wait elsewhere for what comes after it, that is a lap. If the time of a lap, what
// was moved in it, when the members began their turns, and what caches hold are those of the lap before, and
// nothing in the loop but offsets and names depends on its index, all further laps are the same: they are
// counted at once, and only the last one is simulated again. Laps may repeat in groups of up to
// `longest_period`, as when files take turns on targets.
//
// Only while one application runs: two that share the machine rarely repeat together.
#include <algorithm>
#include <cmath>

#include "simulate/world.hpp"

namespace refrain::simulate {

namespace {

constexpr size_t longest_period = 8;
constexpr double tolerance = 1e-9;

bool is_close(double a, double b, double scale) {
  return std::abs(a - b) <= tolerance * std::max(scale, 1e-9);
}

}  // namespace

/// Whether the member goes through the loop. Who is quicker than others may already wait for them in the
/// turn that these begin.
bool World::takes_part(const Member& member, uint32_t application, const Turn& turn) {
  return member.application == application && !member.ended &&
         (!member.blocked || member.walk->stands_in(turn));
}

bool World::turns_together(uint32_t application, const Turn& turn, Lap& lap) const {
  for (const Member& member : members_) {
    if (member.application != application || member.ended) continue;
    if (!takes_part(member, application, turn)) {
      lap.elsewhere.push_back(member.steps);
      continue;
    }
    bool begins = member.turn && member.turn->depth == turn.depth && member.turn->index == turn.index &&
                  member.turn->trips == turn.trips;
    if (!begins && !member.blocked) return false;
    lap.members_s.push_back(lap.at_s - member.turn_s);
  }
  return true;
}

/// After how many laps they repeat; 0: they don't.
size_t World::period_of(const std::deque<Lap>& laps) const {
  size_t last = laps.size() - 1;
  for (size_t p = 1; p <= longest_period && 2 * p <= last; ++p) {
    const Lap &c = laps[last], &b = laps[last - p], &a = laps[last - 2 * p];
    double length = c.at_s - b.at_s;
    if (!is_close(length, b.at_s - a.at_s, length) || c.members_s.size() != b.members_s.size()) continue;
    if (c.tally.volume.minus(b.tally.volume) != b.tally.volume.minus(a.tally.volume)) continue;
    // A cache that fills isn't steady: it holds more, or what it holds takes longer to leave.
    bool same = c.cached == b.cached && b.cached == a.cached &&
                is_close(c.drained_s - b.drained_s, b.drained_s - a.drained_s, length);
    // Who waits elsewhere has done nothing in these laps.
    same &= c.elsewhere == b.elsewhere && b.elsewhere == a.elsewhere;
    for (size_t i = 0; i < c.members_s.size(); ++i) same &= is_close(c.members_s[i], b.members_s[i], length);
    if (same) return p;
  }
  return 0;
}

void World::note_turn(size_t m) {
  Member& member = members_[m];
  uint32_t application = member.application;
  Running& running = running_[application];
  member.turn = member.walk->turn();
  member.turn_s = now();
  const Turn turn = *member.turn;
  running.laps.erase(running.laps.upper_bound(turn.depth), running.laps.end());
  Lap lap{.index = turn.index,
          .at_s = now(),
          .cached = running.cached,
          .drained_s = running.drained_s,
          .tally = running.tally,
          .targets = targets_};
  if (live_applications_ > 1 || turn.trips < 4 || !turns_together(application, turn, lap)) return;
  std::deque<Lap>& laps = running.laps[turn.depth];
  if (!laps.empty() && laps.back().index + 1 != turn.index) laps.clear();
  laps.push_back(std::move(lap));
  if (laps.size() > 2 * longest_period + 1) laps.pop_front();
  size_t period = period_of(laps);
  if (period == 0) return;
  int64_t left = turn.trips - 1 - turn.index;
  int64_t turns = (left - 1) / static_cast<int64_t>(period) * static_cast<int64_t>(period);
  if (turns <= 0) return;
  for (Member& other : members_)
    if (takes_part(other, application, turn) && !other.walk->may_leap(turn.depth)) return;
  leap(application, turn, period, turns);
}

void World::leap(uint32_t application, const Turn& turn, size_t period, int64_t turns) {
  Running& running = running_[application];
  std::deque<Lap>& laps = running.laps[turn.depth];
  const Lap& before = laps[laps.size() - 1 - period];
  uint64_t times = static_cast<uint64_t>(turns) / period;
  double length = laps.back().at_s - before.at_s;
  double way = length * static_cast<double>(times);
  running.tally.repeat(before.tally, times, length);
  for (size_t i = 0; i < targets_.size(); ++i) {
    TargetOutcome& target = targets_[i];
    target.bytes_read += (target.bytes_read - before.targets[i].bytes_read) * times;
    target.bytes_written += (target.bytes_written - before.targets[i].bytes_written) * times;
    target.requests += (target.requests - before.targets[i].requests) * times;
    target.busy_s += (target.busy_s - before.targets[i].busy_s) * static_cast<double>(times);
  }
  for (Member& member : members_) {
    if (!takes_part(member, application, turn)) continue;
    member.walk->leap(turn.depth, turns);
    if (member.turn && member.turn->depth == turn.depth) member.turn->index += turns;
    member.turn_s += way;
    member.call_s += way;
    member.leapt = {turn.depth, turn.index + turns, turn.trips};
    member.reuse = 2;
  }
  for (Flow& flow : flows_)
    if (flow.start_s >= 0) flow.start_s += way;
  skipped_s_ += way;
  skipped_turns_ += static_cast<uint64_t>(turns);
  laps.clear();
}

}  // namespace refrain::simulate
