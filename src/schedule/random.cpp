// See random.hpp.
#include "schedule/random.hpp"

#include <cmath>

namespace refrain::schedule {

namespace {

/// Mixes the bits of a number (the finalizer of SplitMix64).
uint64_t mixed(uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

}  // namespace

Random::Random(uint64_t seed, uint64_t stream) : generator_(mixed(mixed(seed) ^ stream)) {}

uint64_t Random::below(uint64_t limit) {
  uint64_t rest = (UINT64_MAX % limit + 1) % limit;  // what would make small results more likely
  uint64_t drawn = generator_();
  while (drawn > UINT64_MAX - rest) drawn = generator_();
  return drawn % limit;
}

double Random::unit() { return static_cast<double>(generator_() >> 11U) * 0x1p-53; }

/// Marsaglia's polar method; the second number of each pair is not used.
double Random::normal() {
  while (true) {
    double x = 2 * unit() - 1;
    double y = 2 * unit() - 1;
    double square = x * x + y * y;
    if (square > 0 && square < 1) return x * std::sqrt(-2 * portable_log(square) / square);
  }
}

double Random::normal_within(double mean, double deviation, double low, double high) {
  while (true) {
    double drawn = mean + deviation * normal();
    if (drawn >= low && drawn <= high) return drawn;
  }
}

/// x = m * 2^e with m in [√½, √2); ln m = 2 artanh((m-1)/(m+1)), whose series converges quickly there.
double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.7071067811865476) {
    m *= 2;
    --exponent;
  }
  double z = (m - 1) / (m + 1);
  double square = z * z;
  double sum = 0;
  for (int k = 27; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * z * sum + exponent * 0.6931471805599453;
}

}  // namespace refrain::schedule
