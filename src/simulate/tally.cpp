// See tally.hpp.
#include "simulate/tally.hpp"

#include <algorithm>

namespace refrain::simulate {

void Tally::sweep(double until_s) {
  for (; !begins_.empty() && begins_.top() <= until_s; begins_.pop()) {
    double at = begins_.top();
    if (running_++ > 0) continue;
    running_since_ = at;
    if (phase_count > 0 && at - last_end_ <= phase_gap_s_) continue;
    ++phase_count;
    if (phases.size() < most_phases) phases.push_back({at, at, 0, 0, 0});
  }
}

void Tally::ends(double start_s, double at_s, const Volume& moved) {
  sweep(at_s);
  usage.add(start_s, at_s, static_cast<double>(moved.bytes_read + moved.bytes_written));
  last_end_ = at_s;
  if (--running_ == 0) io_s += at_s - running_since_;
  if (phases.empty() || phase_count > phases.size()) return;
  Phase& phase = phases.back();
  phase.end_s = at_s;
  phase.bytes_read += moved.bytes_read;
  phase.bytes_written += moved.bytes_written;
  phase.transfers += moved.transfers;
}

void Tally::repeat(const Tally& before, uint64_t times, double period_s) {
  volume.add(volume.minus(before.volume), times);
  double n = static_cast<double>(times);
  for (auto& [signature, now] : spent) {
    auto then = before.spent.find(signature);
    Spent old = then == before.spent.end() ? Spent{} : then->second;
    now.add({(now.calls - old.calls) * times, (now.bytes_read - old.bytes_read) * times,
             (now.bytes_written - old.bytes_written) * times, (now.seconds - old.seconds) * n});
  }
  double moved = 0;
  for (double bytes : usage.bytes) moved += bytes;
  for (double bytes : before.usage.bytes) moved -= bytes;
  usage.add(last_end_, last_end_ + n * period_s, moved * n);
  io_s += (io_s - before.io_s) * n;
  repeat_phases(before, times, period_s);
  shift(n * period_s);
}

/// Phases that came since `before` come again; without any, the one that is under way goes on.
void Tally::repeat_phases(const Tally& before, uint64_t times, double period_s) {
  uint64_t added = phase_count - before.phase_count;
  bool all_listed = phase_count == phases.size();
  phase_count += added * times;
  if (phases.empty() || !all_listed) return;
  double way = static_cast<double>(times) * period_s;
  Phase last = phases.back();
  last.end_s += way;
  if (added == 0) {
    const Phase& old = before.phases.back();
    last.bytes_read += (last.bytes_read - old.bytes_read) * times;
    last.bytes_written += (last.bytes_written - old.bytes_written) * times;
    last.transfers += (last.transfers - old.transfers) * times;
    phases.back() = last;
    return;
  }
  bool under_way = running_ > 0;
  if (under_way) phases.pop_back();
  size_t known = phases.size();
  for (uint64_t t = 1; t <= times && known >= added && phases.size() + added < most_phases; ++t) {
    for (size_t i = known - added; i < known; ++i) {
      Phase later = phases[i];
      later.start_s += static_cast<double>(t) * period_s;
      later.end_s += static_cast<double>(t) * period_s;
      phases.push_back(later);
    }
  }
  last.start_s += way;
  if (under_way) phases.push_back(last);
}

void Tally::shift(double by_s) {
  std::vector<double> moved;
  for (; !begins_.empty(); begins_.pop()) moved.push_back(begins_.top() + by_s);
  for (double at : moved) begins_.push(at);
  last_end_ += by_s;
  running_since_ += by_s;
}

}  // namespace refrain::simulate
