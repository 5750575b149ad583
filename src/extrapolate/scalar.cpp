// See scalar.hpp. With features f, g of the number of ranks (features.hpp), the forms are, simplest first:
//
//   c,   f,   a*f,   f*num/den,   K/f,   a*f + b,   K/f + b,   floor and ceiling of K/f and of a*f/m,
//   f times such a floor or ceiling,   a*f*g,   a*f + b*g + c
//
// Each is solved from two or three observations and checked against all. The K of a floor is known to lie in
// an interval only, since 100/7 and 104/7 are both 14: the roundest number in it is taken, and the ends of
// the interval are offered as well, so that what depends on the choice shows up as a doubt.
#include "extrapolate/scalar.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>

#include "base/wide.hpp"
#include "extrapolate/price.hpp"

namespace refrain::extrapolate {
namespace {

using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

constexpr size_t most_kept = 8;
constexpr int64_t largest_denominator = 64;
constexpr size_t paired_features = 12;  ///< of how many features pairs are looked at

class ScalarSearch {
 public:
  ScalarSearch(const std::vector<Observation>& seen, const Features& features)
      : seen_(seen), features_(features) {}

  /// All laws, in the order in which they are tried. What is known of them already is made use of, and
  /// brought up to date.
  std::vector<Candidate> run(Features::Known& known) {
    if (std::all_of(seen_.begin(), seen_.end(), [&](auto& o) { return o.value == seen_[0].value; }))
      return {{number(seen_[0].value), 0, static_cast<int>(seen_.size()) - 1}};
    found_ = std::move(known.of_one);
    for (; known.features < features_.all().size(); ++known.features) {
      load(known.features);
      single();
    }
    known.of_one = found_;
    if (found_.empty() || cheapest() > 6) pairs();
    return std::move(found_);
  }

 private:
  int cheapest() const {
    int cost = INT32_MAX / 2;
    for (const Candidate& c : found_) cost = std::min(cost, c.cost);
    return cost;
  }

  void load(size_t f) {
    law_ = features_.all()[f].law;
    cost_ = features_.all()[f].cost;
    x_.clear();
    for (const Observation& o : seen_) x_.push_back(features_.value(f, o.nprocs));
  }

  void offer(const RankExpression& law, int cost, int unknowns) {
    for (const Observation& o : seen_)
      if (law.at(RankExpression::Point{.nprocs = o.nprocs}) != o.value) return;
    found_.push_back({law, cost, static_cast<int>(seen_.size()) - unknowns});
  }

  /// Two observations at which the feature differs.
  std::optional<std::pair<size_t, size_t>> two_places() const {
    for (size_t i = 1; i < x_.size(); ++i)
      if (x_[i] != x_[0]) return std::pair(size_t{0}, i);
    return std::nullopt;
  }

  void single() {
    auto places = two_places();
    if (!places) return;
    auto [i, j] = *places;
    lines(i, j);
    inverses(i, j);
    shares();
    if (cost_ <= 2) last_shares();
    if (law_.operation() == trace::Operation::divide) per_group();
    if (cost_ <= 2 && (law_ == RankExpression::nprocs() || law_.operation() == trace::Operation::grid))
      residues();
    if (cost_ <= 2)
      for (int64_t m : {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64})
        for (bool up : {false, true}) shared(m, up);
  }

  void lines(size_t i, size_t j) {
    int64_t dx = wrap_sub(x_[j], x_[i]), dy = wrap_sub(seen_[j].value, seen_[i].value);
    int64_t common = std::gcd(dx, dy);
    if (common <= 0 || dx == INT64_MIN || dy == INT64_MIN) return;
    int64_t slope = dy / common, denominator = dx / common;
    if (denominator < 0) slope = -slope, denominator = -denominator;
    if (slope == 0 || denominator > largest_denominator) return;
    int64_t base = wrap_sub(seen_[i].value, wrap_mul(slope, x_[i]) / denominator);
    for (size_t k = 0; k < x_.size(); ++k)
      if (wrap_add(wrap_mul(slope, x_[k]) / denominator, base) != seen_[k].value) return;
    RankExpression product = law_ * number(slope) / denominator;
    int cost = cost_ + (slope == 1 ? 0 : 1) +
               (denominator == 1                       ? 0
                : is_round(slope < 0 ? -slope : slope) ? 2
                                                       : 7);
    int unknowns = (slope == 1 ? 0 : 1) + (denominator == 1 ? 0 : 1);
    bool rounded = denominator > 1 || law_.operation() == trace::Operation::divide ||
                   law_.operation() == trace::Operation::add;
    bool next = (base == 1 || base == -1) && !rounded;  // rather rounded up than one more
    offer(product + number(base), cost + (base == 0 ? 0 : next ? 1 : 2), unknowns + (base == 0 ? 0 : 1));
  }

  /// K/f + b, exact at all observations.
  void inverses(size_t i, size_t j) {
    Wide a = x_[i], b = x_[j], dy = Wide{seen_[j].value} - seen_[i].value;
    if (a <= 0 || b <= 0 || wide_product(dy, a) % (a - b) != 0) return;
    Wide total = wide_product(wide_product(dy, a) / (a - b), b);
    if (total > INT64_MAX || total < INT64_MIN || total == 0 || total % a != 0 || total % b != 0) return;
    auto base = static_cast<int64_t>(seen_[i].value - total / a);
    for (size_t k = 0; k < x_.size(); ++k)
      if (x_[k] == 0 || total % x_[k] != 0) return;
    offer(RankExpression::quotient(number(static_cast<int64_t>(total)), law_) + number(base),
          cost_ + 2 + (base == 0 ? 0 : 2), base == 0 ? 1 : 2);
  }

  /// What each of f gets of a total, in elements or in bytes; and what all of them get, which is less than
  /// the total if something is left over.
  void shares() {
    std::vector<int64_t> values;
    for (const Observation& o : seen_) values.push_back(o.value);
    for (int64_t shift : {0, 1, -1})
      for (bool up : {false, true}) rounded(values, {.shift = shift, .up = up});
    if (cost_ > 2) return;
    for (int64_t unit : units_of(values))
      for (bool up : {false, true}) rounded(values, {.unit = unit, .up = up});
    for (size_t k = 0; k < x_.size(); ++k) {
      if (x_[k] <= 0 || values[k] % x_[k] != 0) return;
      values[k] /= x_[k];
    }
    for (bool up : {false, true}) rounded(values, {.up = up, .all = true});
    for (int64_t unit : units_of(values))
      for (bool up : {false, true}) rounded(values, {.unit = unit, .up = up, .all = true});
  }

  /// Bytes of an element that values may be multiples of: usual ones, and what all have in common.
  static std::vector<int64_t> units_of(const std::vector<int64_t>& values) {
    std::vector<int64_t> units{8, 4, 16, 2};
    int64_t common = common_factor(values);
    if (common > 16) units.push_back(common);
    return units;
  }

  static int64_t common_factor(const std::vector<int64_t>& values) {
    int64_t common = 0;
    for (int64_t v : values) common = v == INT64_MIN ? 1 : std::gcd(common, v);
    return common;
  }

  struct Rounding {
    int64_t shift = 0, unit = 1;
    bool up = false;
    bool all = false;  ///< times f
  };
  /// floor(K/f)*unit + shift, or ceiling. What is rounded are hardly bytes, if all values are multiples of 4.
  void rounded(const std::vector<int64_t>& values, const Rounding& how) {
    auto [shift, unit, up, all] = how;
    Wide low = 1, high = Wide{1} << 62;
    for (size_t k = 0; k < x_.size(); ++k) {
      Wide x = x_[k], y = Wide{values[k]} - shift;
      if (x <= 0 || y < 0 || y % unit != 0) return;
      y /= unit;
      low = std::max(low, up ? wide_product(y - 1, x) + 1 : wide_product(y, x));
      high = std::min(high, up ? wide_product(y, x) : wide_product(y + 1, x) - 1);
      if (low > high) return;
    }
    if (high >= (Wide{1} << 61)) return;
    int64_t least = static_cast<int64_t>(low), most = static_cast<int64_t>(high);
    int64_t best = roundest(least, most);
    int cost = cost_ + 4 + (shift != 0 ? 2 : 0) + (up ? 1 : 0) + (unit != 1 ? 1 : 0) +
               (unit % 4 != 0 && unit > 2 ? 3 : 0) + (all ? 1 : 0) +
               (shift == 0 && unit == 1 && common_factor(values) >= 4 ? 2 : 0);
    for (int64_t total : {best, least, most}) {
      RankExpression share = up ? RankExpression::quotient(law_ + number(total - 1), law_)
                                : RankExpression::quotient(number(total), law_);
      RankExpression law = share * number(unit) + number(shift);
      offer(all ? law_ * law : law, cost + (total == best ? 0 : 1), 2);
      if (least == most) break;
    }
  }

  /// floor(a*f/m) or ceiling: what each of m gets of something that grows with f.
  void shared(int64_t m, bool up) {
    Wide low = 1, high = Wide{1} << 61;
    for (size_t k = 0; k < x_.size(); ++k) {
      Wide x = x_[k], y = seen_[k].value;
      if (x <= 0 || y < 1) return;
      low = std::max(low, up ? wide_product(y - 1, m) / x + 1 : (wide_product(y, m) + x - 1) / x);
      high = std::min(high, up ? wide_product(y, m) / x : (wide_product(y + 1, m) - 1) / x);
      if (low > high) return;
    }
    auto least = static_cast<int64_t>(low), most = static_cast<int64_t>(high);
    int64_t best = roundest(least, most);
    for (int64_t a : {best, least, most}) {
      if (a % m != 0)
        offer((law_ * number(a) + number(up ? m - 1 : 0)) / m,
              cost_ + 5 + (up ? 1 : 0) + (a == best ? 0 : 1) + (is_round(a) ? 0 : 3), 2);
      if (least == most) break;
    }
  }

  /// What the last of f has of a total, if it gets all that is left over, or less because others got more.
  /// One observation leaves as many totals as it has parts.
  void last_shares() {
    std::vector<int64_t> values;
    for (const Observation& o : seen_) values.push_back(o.value);
    size_t fewest = 0;
    for (size_t k = 0; k < x_.size(); ++k) {
      constexpr int64_t most_parts = 1 << 10, largest = int64_t{1} << 40;
      if (x_[k] < 1 || x_[k] > most_parts || values[k] < 0 || values[k] > largest) return;
      if (x_[fewest] < 2 || (x_[k] > 1 && x_[k] < x_[fewest])) fewest = k;
    }
    std::vector<int64_t> units = units_of(values);
    units.push_back(1);
    for (int64_t unit : units) {
      if (std::any_of(values.begin(), values.end(), [&](int64_t v) { return v % unit != 0; })) continue;
      int64_t x = x_[fewest], v = values[fewest] / unit;
      for (int64_t rest = 0; rest < x; ++rest)
        for (bool less : {false, true})
          last_share(less ? (v + rest) * x - rest : v * x - rest * (x - 1), less, unit);
    }
  }

  void last_share(int64_t total, bool less, int64_t unit) {
    if (total < 1) return;
    for (size_t k = 0; k < x_.size(); ++k) {
      int64_t x = x_[k], up = (total + x - 1) / x;
      if ((less ? total - (x - 1) * up : total / x + total % x) * unit != seen_[k].value) return;
    }
    RankExpression all = number(total), up = RankExpression::quotient(law_ + number(total - 1), law_);
    RankExpression share = less ? all - up * (law_ - number(1))
                                : RankExpression::quotient(all, law_) + RankExpression::remainder(all, law_);
    offer(share * number(unit), cost_ + 5 + (unit == 1 ? 0 : 1), 2);
  }

  /// P*a/f: what each of f groups has of what all ranks have.
  void per_group() {
    Wide low = 1, high = Wide{1} << 61;
    for (size_t k = 0; k < x_.size(); ++k) {
      Wide x = x_[k], y = seen_[k].value, p = seen_[k].nprocs;
      if (x < 1 || y < 1) return;
      low = std::max(low, (wide_product(y, x) + p - 1) / p);
      high = std::min(high, (wide_product(y + 1, x) - 1) / p);
      if (low > high) return;
    }
    for (Wide each : {low, high}) {
      RankExpression all = RankExpression::nprocs() * number(static_cast<int64_t>(each));
      offer(RankExpression::quotient(all, law_), cost_ + 4 + (each == low ? 0 : 1), 1);
      if (low == high) break;
    }
  }

  /// K % f: what is left of K is known for several f, and so K up to a multiple of their least common
  /// multiple. If they have no common factors there is such a K for any values: only a K that is much smaller
  /// than the multiple tells something.
  void residues() {
    Wide total = 0, modulus = 1;
    for (size_t k = 0; k < x_.size(); ++k) {
      int64_t x = x_[k], y = seen_[k].value;
      if (x < 1 || x > (1 << 20) || y < 0 || y >= x) return;
      Wide steps = 0;
      while (steps < x && total % x != y) total += modulus, ++steps;
      if (steps == x) return;
      modulus = wide_product(modulus / std::gcd(static_cast<int64_t>(modulus % x), x), x);
      if (modulus > (Wide{1} << 40)) return;
    }
    constexpr int telling = 100;
    bool tells = wide_product(total, telling) < modulus;
    for (Wide all : {total, total + modulus})
      offer(RankExpression::remainder(number(static_cast<int64_t>(all)), law_),
            cost_ + (all == total ? 4 : 5), tells ? 1 : static_cast<int>(seen_.size()));
  }

  /// Whether a number has few digits but zeros at its end, decimal or binary.
  static bool is_round(int64_t a) {
    constexpr int64_t few = 1000;
    while (a % 10 == 0) a /= 10;
    while (a % 2 == 0) a /= 2;
    return a < few;
  }

  /// The number with the most zeros at its end, decimal or binary; the largest if none has many.
  static int64_t roundest(int64_t low, int64_t high) {
    constexpr int64_t decimal_weight = 4, least_weight = 16;
    int64_t best = high, most = least_weight;
    for (int64_t base : {2, 10})
      for (int64_t unit = base; unit <= high / base; unit *= base) {
        int64_t there = high / unit * unit, weight = base == 10 ? wrap_mul(unit, decimal_weight) : unit;
        if (there < low || weight <= most) continue;
        best = there;
        most = weight;
      }
    return best;
  }

  /// a*f*g and a*f + b*g + c.
  void pairs() {
    size_t n = std::min(features_.all().size(), paired_features);
    for (size_t f = 0; f < n; ++f)
      for (size_t g = f + 1; g < n; ++g) {
        load(f);
        std::vector<int64_t> x = x_;
        RankExpression law = law_;
        int cost = cost_;
        load(g);
        product(x, law, cost);
        if (seen_.size() >= 5) plane(x, law, cost);
      }
  }

  void product(const std::vector<int64_t>& x, const RankExpression& law, int cost) {
    int64_t both = wrap_mul(x[0], x_[0]);
    if (both <= 0 || seen_[0].value % both != 0) return;
    int64_t a = seen_[0].value / both;
    for (size_t k = 1; k < x_.size(); ++k)
      if (wrap_mul(wrap_mul(x[k], x_[k]), a) != seen_[k].value) return;
    if (a != 0) offer(law * law_ * number(a), cost + cost_ + (a == 1 ? 0 : 1), 1);
  }

  void plane(const std::vector<int64_t>& x, const RankExpression& law, int cost) {
    auto row = [&](size_t i) {
      return std::array<Wide, 3>{Wide{x[i]} - x[0], Wide{x_[i]} - x_[0],
                                 Wide{seen_[i].value} - seen_[0].value};
    };
    for (size_t j = 2; j < seen_.size(); ++j) {
      auto [a1, b1, y1] = row(1);
      auto [a2, b2, y2] = row(j);
      Wide det = wide_product(a1, b2) - wide_product(a2, b1);
      if (det == 0) continue;
      Wide a = wide_product(y1, b2) - wide_product(y2, b1), b = wide_product(a1, y2) - wide_product(a2, y1);
      if (a % det != 0 || b % det != 0) return;
      a /= det;
      b /= det;
      Wide c = Wide{seen_[0].value} - wide_product(a, x[0]) - wide_product(b, x_[0]);
      if (a == 0 || b == 0 || c > INT64_MAX || c < INT64_MIN) return;
      RankExpression sum = law * number(static_cast<int64_t>(a)) + law_ * number(static_cast<int64_t>(b));
      offer(sum + number(static_cast<int64_t>(c)), cost + cost_ + 4 + (c == 0 ? 0 : 2), c == 0 ? 2 : 3);
      return;
    }
  }

  const std::vector<Observation>& seen_;
  const Features& features_;
  RankExpression law_;
  int cost_ = 0;
  std::vector<int64_t> x_;  ///< of the feature, by observation
  std::vector<Candidate> found_;
};

/// Where most runs have the same value, something or other fits the rest: what it says counts for as many
/// observations as there are different values.
void doubt_few_values(std::vector<Candidate>& found, const std::vector<Observation>& seen) {
  constexpr int plain = 2;  ///< cost of a multiple of P, or of a quantity that programs often use
  std::set<int64_t> values;
  for (const Observation& o : seen) values.insert(o.value);
  // Any quantity that has two values fits two others if something may be added; one less is the last place.
  auto shifted = [](const RankExpression& law) {
    return law.operation() == trace::Operation::add && law.operand(1).is_constant() &&
           law.operand(1).number() != -1;
  };
  auto of_ranks = [](const RankExpression& law) {
    const RankExpression& x = law.operand(0);
    return x == RankExpression::nprocs() || x.operation() == trace::Operation::logarithm ||
           (x.operands() > 0 && x.operand(0) == RankExpression::nprocs());
  };
  for (Candidate& c : found) {
    bool by_two = shifted(c.law);
    if (c.cost <= plain && !by_two) continue;
    // There are many quantities: one of them on a line through three values is no wonder.
    int needed = by_two && !of_ranks(c.law) ? 3 : 2;
    c.spare = std::min(c.spare, static_cast<int>(values.size()) - needed);
  }
}

/// What a law says at some numbers of ranks, as far as somebody asked.
class Image {
 public:
  explicit Image(const RankExpression& law) : law_(&law), of_rank_(law.depends_on(trace::Variable::rank)) {}

  /// Whether another law says the same at all of these.
  bool same(Image& other, const std::vector<int64_t>& probes) {
    if (of_rank_ != other.of_rank_) return false;
    if (*law_ == *other.law_) return true;
    for (size_t i = 0; i < probes.size(); ++i)
      if (at(i, probes) != other.at(i, probes)) return false;
    return true;
  }

 private:
  static constexpr size_t ranks_asked = 14;
  using Values = std::array<int64_t, ranks_asked>;

  const Values& at(size_t i, const std::vector<int64_t>& probes) {
    while (values_.size() <= i) {
      int64_t p = probes[values_.size()];
      Values& here = values_.emplace_back();
      std::array<uint32_t, ranks_asked> ranks{0, 1};
      size_t n = 2;
      for (int64_t r :
           {p / 8, p / 7, p / 6, p / 5, p / 4, p / 3, p * 2 / 5, p / 2, p * 2 / 3, p * 3 / 4, p - 2, p - 1})
        ranks[n++] = static_cast<uint32_t>(r);
      law_->evaluate(ranks, here, p);
    }
    return values_[i];
  }

  const RankExpression* law_;
  bool of_rank_;
  std::vector<Values> values_;  ///< by number of ranks
};

}  // namespace

void keep_simplest(std::vector<Candidate>& candidates, const std::vector<int64_t>& sizes) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  std::vector<int64_t> probes{7,   12,  30,  48,   60,   72,   96,   100,  127,
                              128, 343, 360, 1000, 1024, 1536, 4096, 65536};
  probes.insert(probes.end(), sizes.begin(), sizes.end());
  std::vector<Image> images;
  std::vector<Candidate> kept;
  for (Candidate& c : candidates) {
    Image image(c.law);
    if (std::any_of(images.begin(), images.end(), [&](Image& i) { return i.same(image, probes); })) continue;
    images.push_back(std::move(image));
    kept.push_back(c);
    if (kept.size() == most_kept) break;
  }
  candidates = std::move(kept);
}

const std::vector<Candidate>& fit_scalar(const std::vector<Observation>& seen, const Features& features) {
  static const std::vector<Candidate> anything{{RankExpression(), 0, 0}};
  if (seen.empty()) return anything;
  auto [entry, fresh] = features.known().try_emplace(seen);
  Features::Known& known = entry->second;
  if (!fresh && known.features == features.all().size()) return known.laws;
  known.laws = ScalarSearch(seen, features).run(known);
  known.features = features.all().size();
  doubt_few_values(known.laws, seen);
  for (Candidate& c : known.laws)
    if (c.spare < 1) c.cost += unconfirmed + price_of_numbers(c.law);
  keep_simplest(known.laws, features.sizes());
  return known.laws;
}

}  // namespace refrain::extrapolate
