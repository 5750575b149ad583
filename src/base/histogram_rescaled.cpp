// Histograms of times that nobody measured, from measured ones: the shape stays, the mean moves. A sample in
// [2^(b-1), 2^b) that becomes f times as long lies in [f·2^(b-1), f·2^b), which mostly is a part of two
// buckets; the samples of a bucket are shared among them by how much of it each has.
#include <algorithm>
#include <cmath>

#include "base/histogram.hpp"

namespace refrain {
namespace {

constexpr double longest = 0x1p62;  ///< nanoseconds; more than a century

/// A number of nanoseconds, whatever the arithmetic before it gave.
uint64_t whole(double ns) {
  return ns > 0 ? static_cast<uint64_t>(std::llround(std::min(ns, longest))) : 0;  // not a number is 0, too
}

}  // namespace

Histogram Histogram::rescaled(uint64_t samples, double mean_ns) const {
  Histogram out;
  if (samples == 0) return out;
  double mean = static_cast<double>(whole(mean_ns)), n = static_cast<double>(samples);
  double before = count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  double factor = before > 0 ? mean / before : 0;
  bool alike = samples == 1 || count_ <= 1 || factor <= 0;
  out.count_ = samples;
  out.sum_ = whole(mean * n);
  out.min_ = alike ? whole(mean) : std::min(whole(static_cast<double>(min_) * factor), whole(mean));
  out.max_ = alike ? whole(mean) : std::max(whole(static_cast<double>(max_) * factor), whole(mean));
  out.squares_ = alike ? mean * mean * n : squares_ * factor * factor * n / static_cast<double>(count_);
  if (samples == 1) return out;
  out.buckets_ = std::make_unique<Buckets>();
  out.buckets_->fill(0);
  if (alike)
    (*out.buckets_)[bucket_of(out.min_)] = samples;
  else
    out.spread_as(*this, factor);
  return out;
}

void Histogram::spread_as(const Histogram& other, double factor) {
  std::array<double, bucket_count> share{};
  int first = bucket_of(min_), last = bucket_of(max_);
  for (int b = 0; b < bucket_count; ++b) {
    auto here = static_cast<double>(other.bucket(b));
    double high = b == 0 ? 0 : std::ldexp(factor, b), low = high / 2;
    int upper = std::clamp(bucket_of(whole(high)), first, last), lower = std::max(first, upper - 1);
    double border = lower < upper ? std::ldexp(1.0, lower) : low;
    double above = high > low ? std::clamp((high - border) / (high - low), 0.0, 1.0) : 1;
    share[upper] += here * above;
    share[lower] += here * (1 - above);
  }
  double all = 0, so_far = 0;
  for (double s : share) all += s;
  uint64_t given = 0;
  for (int b = first; b <= last; ++b) {
    so_far += share[b];
    double part = all > 0 && b < last ? std::min(1.0, so_far / all) : 1;
    uint64_t reached = b == last ? count_ : std::min(count_, whole(part * static_cast<double>(count_)));
    (*buckets_)[b] = std::max(reached, given) - given;
    given = std::max(reached, given);
  }
}

}  // namespace refrain
