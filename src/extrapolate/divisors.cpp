// See divisors.hpp. Small factors are found by trying them, large ones by Pollard's method: in the sequence
// x -> x*x + c modulo n, two members that agree modulo a factor of n come soon.
#include "extrapolate/divisors.hpp"

#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/wide.hpp"

namespace refrain::extrapolate {
namespace {

constexpr int64_t largest_small_factor = 1 << 12;

int64_t product_modulo(int64_t a, int64_t b, int64_t n) {
  return static_cast<int64_t>(wide_product(a, b) % n);
}

int64_t power_modulo(int64_t base, int64_t exponent, int64_t n) {
  int64_t result = 1;
  for (base %= n; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product_modulo(result, base, n);
    base = product_modulo(base, base, n);
  }
  return result;
}

/// By the test of Miller and Rabin, with bases that leave no doubt about numbers of 64 bits.
bool is_prime(int64_t n) {
  int64_t odd = n - 1;
  int halvings = 0;
  for (; odd % 2 == 0; odd /= 2) ++halvings;
  for (int64_t base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    int64_t x = power_modulo(base, odd, n);
    bool passes = x == 1 || x == n - 1;
    for (int i = 1; i < halvings && !passes; ++i) {
      x = product_modulo(x, x, n);
      passes = x == n - 1;
    }
    if (!passes) return false;
  }
  return true;
}

/// A factor of a number that is no prime and has no small factor.
int64_t some_factor(int64_t n) {
  for (int64_t c = 1;; ++c) {
    auto next = [&](int64_t x) { return static_cast<int64_t>((wide_product(x, x) + c) % n); };
    int64_t slow = 2, fast = 2, factor = 1;
    while (factor == 1) {
      slow = next(slow);
      fast = next(next(fast));
      factor = std::gcd(std::abs(slow - fast), n);
    }
    if (factor != n) return factor;
  }
}

using PrimePower = std::pair<int64_t, int>;

void add_prime(int64_t prime, std::vector<PrimePower>& powers) {
  for (auto& [known, exponent] : powers)
    if (known == prime) {
      ++exponent;
      return;
    }
  powers.push_back({prime, 1});
}

void add_large(int64_t n, std::vector<PrimePower>& powers) {
  if (n == 1) return;
  if (n < largest_small_factor * largest_small_factor || is_prime(n)) return add_prime(n, powers);
  int64_t factor = some_factor(n);
  add_large(factor, powers);
  add_large(n / factor, powers);
}

}  // namespace

std::vector<int64_t> divisors_of(int64_t n, size_t most) {
  if (n < 1) return {};
  std::vector<PrimePower> powers;
  int64_t rest = n;
  for (int64_t p = 2; p < largest_small_factor && p * p <= rest; p += p == 2 ? 1 : 2)
    for (; rest % p == 0; rest /= p) add_prime(p, powers);
  add_large(rest, powers);
  std::vector<int64_t> divisors{1};
  for (auto [prime, exponent] : powers) {
    size_t before = divisors.size();
    if (before * (static_cast<size_t>(exponent) + 1) > most) return {};
    int64_t power = 1;
    for (int i = 0; i < exponent; ++i) {
      power *= prime;
      for (size_t d = 0; d < before; ++d) divisors.push_back(divisors[d] * power);
    }
  }
  return divisors;
}

}  // namespace refrain::extrapolate
