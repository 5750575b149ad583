// Times are the only thing Refrain keeps approximately: per event, a histogram of gaps and one of
// durations. Count, sum, minimum, maximum, sum of squares, and one bucket per power of two.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "base/bytes.hpp"

namespace refrain {

/// Distribution of durations in nanoseconds. One sample needs no buckets; they appear with the second.
class Histogram {
 public:
  static constexpr int bucket_count = 48;  ///< bucket b holds [2^(b-1), 2^b); bucket 0 holds zero

  Histogram() = default;
  Histogram(const Histogram& other);
  Histogram& operator=(const Histogram& other);
  Histogram(Histogram&&) = default;
  Histogram& operator=(Histogram&&) = default;

  void add(uint64_t ns) {
    if (buckets_) [[likely]] {
      ++(*buckets_)[bucket_of(ns)];
      note(ns);
    } else {
      add_early(ns);
    }
  }
  /// Adds `n` samples, in this order.
  void add_all(const uint64_t* ns, size_t n);
  void merge(const Histogram& other);

  /// Moves `samples` of the samples, taken to be average ones, into a histogram of their own. The total of
  /// both stays exact; the split is an estimate (used when a loop's last iteration turns out not to belong).
  Histogram split(uint64_t samples);

  /// As many samples as `samples`, spread as these are around another mean: each is taken to be so many times
  /// as long. An estimate; where there is nothing to go by, all are equal.
  Histogram rescaled(uint64_t samples, double mean_ns) const;

  uint64_t count() const { return count_; }
  uint64_t sum_ns() const { return sum_; }
  uint64_t min_ns() const { return count_ ? min_ : 0; }
  uint64_t max_ns() const { return max_; }
  double sum_of_squares() const { return squares_; }
  uint64_t bucket(int b) const;

  /// Everything, buckets included.
  void write(ByteWriter& out) const;
  static Histogram read(ByteReader& in);

  /// All but the buckets.
  struct Moments {
    uint64_t count = 0, sum = 0, min = 0, max = 0;
    double squares = 0;
  };
  Moments moments() const { return {count_, sum_, min_ns(), max_, squares_}; }
  /// The buckets in quarters of the samples, in a few bytes however many samples there are; see
  /// histogram_shares.cpp. Nothing if there is at most one sample.
  void write_shares(ByteWriter& out) const;
  /// The histogram with these moments, and the buckets that write_shares() wrote.
  static Histogram read_shares(const Moments& moments, ByteReader& in);
  bool operator==(const Histogram& other) const;

  static int bucket_of(uint64_t ns) {
    int b = static_cast<int>(std::bit_width(ns));
    return b < bucket_count ? b : bucket_count - 1;
  }

 private:
  using Buckets = std::array<uint64_t, bucket_count>;
  void note(uint64_t ns) {
    ++count_;
    sum_ += ns;
    if (ns < min_) min_ = ns;
    if (ns > max_) max_ = ns;
    squares_ += static_cast<double>(ns) * static_cast<double>(ns);
  }
  void add_early(uint64_t ns);
  void ensure_buckets();
  void spread_as(const Histogram& other, double factor);

  uint64_t count_ = 0, sum_ = 0, min_ = ~uint64_t{0}, max_ = 0;
  double squares_ = 0;
  std::unique_ptr<Buckets> buckets_;  ///< absent while count_ <= 1
};

}  // namespace refrain
