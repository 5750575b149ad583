// Random numbers that are the same everywhere. The standard fixes the generator but not the distributions,
// and libraries differ in them and in the last digits of logarithms; so these use nothing but integers and
// the operations that IEEE 754 defines exactly (the folder is compiled without fused multiply-add).
#pragma once

#include <cstdint>
#include <random>

namespace refrain::schedule {

class Random {
 public:
  /// Streams of the same seed are independent of each other.
  Random(uint64_t seed, uint64_t stream);

  /// Uniform among 0 … limit - 1; `limit` must not be zero.
  uint64_t below(uint64_t limit);
  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit();
  /// Normal with mean 0 and standard deviation 1.
  double normal();
  /// Normal, drawn again until it lies in [low, high].
  double normal_within(double mean, double deviation, double low, double high);

 private:
  std::mt19937_64 generator_;
};

/// The natural logarithm of a positive number, to about 1e-15, the same on every platform.
double portable_log(double x);

}  // namespace refrain::schedule
