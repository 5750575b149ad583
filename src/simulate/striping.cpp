// Requests at equal distances repeat themselves against the stripes. With stripes of S bytes on n targets the
// pattern of a file has the period P = S·n; requests at o, o + d, o + 2d, … fall into the same places of the
// pattern after m = P / gcd(d, P) of them. So m requests are looked at, each counted as often as it repeats.
// For d = P (every rank one whole turn over the targets) that is a single one, whatever the number of ranks.
//
// A request [b, e) gives the target at place t of the pattern f(e, t) - f(b, t) bytes, where f(x, t), the
// bytes below x on it, is x / P · S + clamp(x mod P - t·S, 0, S).
#include "simulate/striping.hpp"

#include <algorithm>
#include <numeric>

namespace refrain::simulate {

namespace {

uint64_t bytes_below(uint64_t x, uint64_t place, uint64_t stripe, uint64_t period) {
  uint64_t rest = x % period;
  uint64_t begin = place * stripe;
  return x / period * stripe + (rest <= begin ? 0 : std::min(rest - begin, stripe));
}

}  // namespace

TargetLoad& TargetLoads::load(uint32_t target) {
  TargetLoad& found = loads_[target];
  if (found.requests == 0) touched_.push_back(target);
  return found;
}

void TargetLoads::clear() {
  for (uint32_t target : touched_) loads_[target] = {};
  touched_.clear();
}

void TargetLoads::one(const Layout& layout, uint64_t begin, uint64_t size, uint64_t times, bool separate) {
  if (size == 0 || times == 0) return;
  auto targets = static_cast<uint32_t>(loads_.size());
  uint64_t period = layout.size * layout.count;
  uint64_t end = begin + size;
  uint64_t first_stripe = begin / layout.size;
  uint64_t stripes = (end - 1) / layout.size - first_stripe + 1;
  for (uint64_t i = 0; i < std::min<uint64_t>(stripes, layout.count); ++i) {
    uint64_t place = (first_stripe + i) % layout.count;
    TargetLoad& found = load(static_cast<uint32_t>((layout.first + place) % targets));
    uint64_t bytes =
        bytes_below(end, place, layout.size, period) - bytes_below(begin, place, layout.size, period);
    found.bytes += bytes * times;
    found.requests += times;
    if (separate) found.extents += times;
    if (i == 0 && begin % block_ != 0) found.unaligned += times;
  }
  if (end % block_ != 0) {
    uint64_t place = ((end - 1) / layout.size) % layout.count;
    load(static_cast<uint32_t>((layout.first + place) % targets)).unaligned += times;
  }
}

void TargetLoads::add(const Layout& layout, int64_t first, int64_t step, uint64_t count, uint64_t size) {
  if (size == 0 || count == 0) return;
  // Where a trace has nonsense for an offset, the file's beginning is as good as any place.
  int64_t last = Spread::Run{count, first, step}.at(count - 1);
  constexpr int64_t largest = int64_t{1} << 61;
  if (first < 0 || last < 0 || first > largest || last > largest || size > uint64_t{largest})
    first = step = 0;
  uint64_t period = layout.size * layout.count;
  auto distance = static_cast<uint64_t>(step < 0 ? -step : step) % period;
  uint64_t repeats_after = distance == 0 ? 1 : period / std::gcd(distance, period);
  bool touching = step == 0 || static_cast<uint64_t>(step < 0 ? -step : step) == size;
  size_t touched_before = touched_.size();
  std::vector<uint64_t> extents_before;
  if (touching)
    for (uint32_t target : touched_) extents_before.push_back(loads_[target].requests);
  uint64_t seen = std::min(count, repeats_after);
  for (uint64_t k = 0; k < seen; ++k) {
    uint64_t times = count / repeats_after + (k < count % repeats_after ? 1 : 0);
    one(layout, static_cast<uint64_t>(first + step * static_cast<int64_t>(k)), size, times, !touching);
  }
  if (!touching) return;
  for (size_t i = 0; i < touched_.size(); ++i) {
    TargetLoad& found = loads_[touched_[i]];
    if (i >= touched_before || found.requests > extents_before[i]) ++found.extents;
  }
}

void TargetLoads::add_shared(const Layout& layout, const Spread& offsets, const Spread& sizes) {
  side_by_side(offsets, sizes, [&](const Spread::Run& at, const Spread::Run& bytes) {
    if (bytes.step == 0 || bytes.count == 1)
      return add(layout, at.first, at.step, at.count,
                 static_cast<uint64_t>(std::max<int64_t>(0, bytes.first)));
    for (uint64_t i = 0; i < at.count; ++i)
      add(layout, at.at(i), 0, 1, static_cast<uint64_t>(std::max<int64_t>(0, bytes.at(i))));
  });
}

void TargetLoads::add_own(const Layout& layout, const Spread& offsets, const Spread& sizes) {
  auto targets = static_cast<uint32_t>(loads_.size());
  uint64_t rank = 0;
  side_by_side(offsets, sizes, [&](const Spread::Run& at, const Spread::Run& bytes) {
    uint64_t alike = at.step == 0 && bytes.step == 0 ? at.count : 1;
    for (uint64_t i = 0; i < at.count; i += alike) {
      // Of equal requests, those whose files begin at the same target are the same.
      for (uint64_t k = 0; k < std::min<uint64_t>(alike, targets); ++k) {
        Layout own = layout;
        own.first = static_cast<uint32_t>((layout.first + rank + i + k) % targets);
        uint64_t times = alike / targets + (k < alike % targets ? 1 : 0);
        int64_t begin = std::max<int64_t>(0, at.at(i));
        int64_t size = std::max<int64_t>(0, bytes.at(i));
        if (begin <= INT64_MAX / 4 && size <= INT64_MAX / 4)
          one(own, static_cast<uint64_t>(begin), static_cast<uint64_t>(size), times, true);
      }
    }
    rank += at.count;
  });
}

double service_seconds(const TargetLoad& load, const Target& target, const Access& access) {
  double bandwidth = access.writes ? target.write_bandwidth : target.read_bandwidth;
  double shared = access.writes ? target.shared_write_bandwidth : target.shared_read_bandwidth;
  if (access.shared && shared > 0) bandwidth = shared;
  uint64_t seeks = load.extents;
  if (access.continued == Continued::all) seeks = 0;
  if (access.continued == Continued::first && seeks > 0) --seeks;
  return static_cast<double>(load.bytes) / bandwidth +
         static_cast<double>(load.requests) * target.operation_s +
         static_cast<double>(seeks) * target.seek_s +
         static_cast<double>(load.unaligned) * target.unaligned_s;
}

}  // namespace refrain::simulate
