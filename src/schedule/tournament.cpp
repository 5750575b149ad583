// A kinetic tournament. Bandwidth and stretch serve the largest (now - started) / d, where d is the I/O time
// or the work a job has had. While a job waits it has neither, so d and the start are constant and its
// urgency is a line over time; but lines of different slope cross, so the order of waiting requests changes
// without any event that a heap would notice. Sorting anew at every grant would cost O(n).
//
// The requests are the leaves of a binary tree. Every inner node is a match: it knows the winner among its
// leaves and until when that holds, which is the earliest of
//   - the instant at which the loser's line overtakes the winner's (matches are decided exactly, in 128 bits;
//     this instant may be taken a little early), and
//   - the instants until which the matches below hold.
// Adding or removing a request replays the matches on the way to the root. A question at `now` first replays
// matches that no longer hold, which are found by going down only where `until` has passed.
//
// Example: A started at 0 and has done 5, B started at 6 and has done 1. At 7, A has 7/5 and B 1/1: A wins.
// B's line is steeper and passes where (t-6)/1 > t/5, that is t > 7.5: the match holds until 8. Asked at 8,
// A has 8/5 and B 2/1: the match is played again, B wins, and as A's line is the flatter one, for good.
//
// Cost. A push or pop replays log2(n) matches. What remains is replays because of overtakings:
//   - Jobs of a pack start together: their lines meet in one point, the start, and never cross afterwards.
//     With the mappings that make packs there are no overtakings, and O(log n) per request is the worst case.
//   - Jobs that started at different times (easy, backfilling) may overtake each other, but any two at most
//     once while both wait. What a match sees of the requests that pass through it is the upper envelope of
//     line segments, which has nearly linear size (m α(m) for m segments), and a request passes log2(n)
//     matches: so at most about log2(n) overtakings per request are ever replayed, on average over the run.
//     If each is found by a way down of its own, that makes log2(n)^2, with a small factor: with tangents of
//     a parabola, each of which is the highest for a while, of which every second one is served, the matches
//     played per request are 2.2 log2(n) among 16 that wait, 2.9 log2(n) among 4,096 and 3.6 log2(n) among
//     262,144; with random lines 2.0, 2.2 and 2.4 log2(n). tournament_test.cpp counts them.
#include "schedule/tournament.hpp"

#include <algorithm>
#include <cmath>

namespace refrain::schedule {

bool Tournament::beats(uint32_t a, uint32_t b, Time now) const {
  const Line& left = lines_[a];
  const Line& right = lines_[b];
  if (left.urgency.per == 0 || right.urgency.per == 0) {
    if (left.urgency.per == right.urgency.per) return left.job < right.job;
    return left.urgency.per == 0;
  }
  Wide mine = wide(now - left.urgency.since) * wide(right.urgency.per);
  Wide other = wide(now - right.urgency.since) * wide(left.urgency.per);
  return mine > other || (mine == other && left.job < right.job);
}

/// An instant before which the loser can't win. Only a steeper line can overtake. The instant is computed in
/// floating point and taken early enough to be safe: to play a match again too early changes nothing.
Time Tournament::overtaken_at(uint32_t winner, uint32_t loser) const {
  const Urgency& a = lines_[winner].urgency;
  const Urgency& b = lines_[loser].urgency;
  if (a.per == 0 || b.per >= a.per) return never;
  // (t - b.since) * a.per = (t - a.since) * b.per
  Wide late = wide(b.since) * wide(a.per);
  Wide early = wide(a.since) * wide(b.per);
  if (late <= early) return 0;
  double instant = static_cast<double>(late - early) / static_cast<double>(a.per - b.per);
  instant -= 2 + std::abs(instant) * 0x1p-50;
  return instant >= static_cast<double>(longest_time) * 8 ? never : static_cast<Time>(std::max(instant, 0.0));
}

void Tournament::play(size_t match, Time now) {
  ++played_;
  const Match& left = matches_[2 * match];
  const Match& right = matches_[2 * match + 1];
  Match result{.winner = left.winner, .until = std::min(left.until, right.until)};
  if (left.winner == none) {
    result.winner = right.winner;
  } else if (right.winner != none) {
    bool left_wins = beats(left.winner, right.winner, now);
    result.winner = left_wins ? left.winner : right.winner;
    uint32_t loser = left_wins ? right.winner : left.winner;
    result.until = std::min(result.until, overtaken_at(result.winner, loser));
  }
  matches_[match] = result;
}

void Tournament::play_up(uint32_t leaf, Time now) {
  for (size_t match = (leaf + lines_.size()) / 2; match > 0; match /= 2) play(match, now);
}

/// Replays every match that no longer holds. Depth is log2 of the number of leaves.
void Tournament::advance(size_t match, Time now) {
  if (matches_[match].until > now) return;
  advance(2 * match, now);
  advance(2 * match + 1, now);
  play(match, now);
}

/// Doubles the number of leaves. O(n), as often as log2 of the largest number of requests.
void Tournament::grow(Time now) {
  size_t before = lines_.size();
  size_t leaves = std::max<size_t>(4, before * 2);
  std::vector<Match> matches(2 * leaves);
  for (size_t leaf = 0; leaf < before; ++leaf) matches[leaves + leaf] = matches_[before + leaf];
  matches_ = std::move(matches);
  lines_.resize(leaves);
  for (size_t leaf = leaves; leaf > before; --leaf) free_.push_back(static_cast<uint32_t>(leaf - 1));
  for (size_t match = leaves - 1; match > 0; --match) play(match, now);
}

void Tournament::push(Time now, uint64_t job, Urgency urgency) {
  if (free_.empty()) grow(now);
  uint32_t leaf = free_.back();
  free_.pop_back();
  lines_[leaf] = {urgency, job};
  matches_[lines_.size() + leaf].winner = leaf;
  ++size_;
  play_up(leaf, now);
}

uint64_t Tournament::pop(Time now) {
  advance(1, now);
  uint32_t leaf = matches_[1].winner;
  matches_[lines_.size() + leaf].winner = none;
  free_.push_back(leaf);
  --size_;
  play_up(leaf, now);
  return lines_[leaf].job;
}

}  // namespace refrain::schedule
