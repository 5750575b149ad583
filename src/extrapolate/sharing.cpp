// See sharing.hpp. Of 10 among 4, places have
//
//     the first ones more      3 3 2 2       the last ones more     2 2 3 3       in steps       2 3 2 3
//     rounded up               3 3 3 1       the rest to the last   2 2 2 4       rounded down   2 2 2 2
#include "extrapolate/sharing.hpp"

#include <algorithm>

#include "extrapolate/fit_law.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

using E = const RankExpression&;

int64_t rounded_up(int64_t total, int64_t n) { return total / n + (total % n != 0 ? 1 : 0); }
RankExpression up(E total, E n) { return RankExpression::quotient(total + n - number(1), n); }
RankExpression of_place(const RankExpression& form, E k) {
  return scale::substituted(form, trace::Variable::rank, k);
}

constexpr Sharing all_sizes[] = {
    {[](int64_t t, int64_t n, int64_t) { return t / n; },
     [](E t, E n, E) { return RankExpression::quotient(t, n); }, 1, Sharing::nothing},
    {[](int64_t t, int64_t n, int64_t) { return rounded_up(t, n); }, [](E t, E n, E) { return up(t, n); }, 2,
     Sharing::nothing},
    {[](int64_t t, int64_t n, int64_t k) { return t / n + (k < t % n ? 1 : 0); },
     [](E t, E n, E k) { return of_place(size_forms(t, n)[0], k); }, 1, Sharing::digits},
    {[](int64_t t, int64_t n, int64_t k) { return t / n + (k >= n - t % n ? 1 : 0); },
     [](E t, E n, E k) { return of_place(size_forms(t, n)[1], k); }, 2, Sharing::digits},
    {[](int64_t t, int64_t n, int64_t k) { return (k + 1) * t / n - k * t / n; },
     [](E t, E n, E k) { return of_place(size_forms(t, n)[2], k); }, 1, Sharing::digits},
    {[](int64_t t, int64_t n, int64_t k) {
       int64_t block = rounded_up(t, n);
       return std::clamp<int64_t>(t - k * block, 0, block);
     },
     [](E t, E n, E k) { return of_place(size_forms(t, n)[3], k); }, 1, Sharing::digits},
    {[](int64_t t, int64_t n, int64_t k) { return t / n + (k == n - 1 ? t % n : 0); },
     [](E t, E n, E k) {
       RankExpression last = RankExpression::equal(k, n - number(1));
       return RankExpression::quotient(t, n) + last * RankExpression::remainder(t, n);
     },
     1, Sharing::digits},
    {[](int64_t t, int64_t n, int64_t) { return t / n + t % n; },
     [](E t, E n, E) { return RankExpression::quotient(t, n) + RankExpression::remainder(t, n); }, 3,
     Sharing::only_last},
    {[](int64_t t, int64_t n, int64_t) { return t - (n - 1) * rounded_up(t, n); },
     [](E t, E n, E) { return t - up(t, n) * (n - number(1)); }, 3, Sharing::only_last},
};

constexpr Sharing all_starts[] = {
    {[](int64_t t, int64_t n, int64_t k) { return k * (t / n) + std::min(k, t % n); },
     [](E t, E n, E k) { return of_place(start_forms(t, n)[0], k); }, 0, Sharing::digits, true},
    {[](int64_t t, int64_t n, int64_t k) { return k * (t / n); },
     [](E t, E n, E k) { return of_place(start_forms(t, n)[1], k); }, 0, Sharing::digits, true},
    {[](int64_t t, int64_t n, int64_t k) { return k * t / n; },
     [](E t, E n, E k) { return of_place(start_forms(t, n)[2], k); }, 0, Sharing::digits, true},
    {[](int64_t t, int64_t n, int64_t k) { return std::min(t, k * rounded_up(t, n)); },
     [](E t, E n, E k) { return of_place(start_forms(t, n)[3], k); }, 0, Sharing::digits, true},
    {[](int64_t t, int64_t n, int64_t k) { return k * rounded_up(t, n); },
     [](E t, E n, E k) { return of_place(start_forms(t, n)[4], k); }, 0, Sharing::digits, true},
};

}  // namespace

std::span<const Sharing> sharings() { return all_sizes; }
const Sharing& equal_shares() { return all_sizes[0]; }
std::span<const Sharing> starts_of_shares() { return all_starts; }

}  // namespace refrain::extrapolate
