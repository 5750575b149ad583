// See padding.hpp. Each use allows some widths of a field: one with leading zeros just its length, any other
// all that don't exceed its digits. A law of the width has to give an allowed one for every use.
//
// A template per width stands in the table, one after the other, so that the number of the template is that
// of the first plus one for each power of ten that P has passed.
#include "extrapolate/padding.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "trace/rank_set.hpp"

namespace refrain::extrapolate {
namespace {

using trace::RankExpression;
using trace::Template;

/// Numbers of ranks have at most so many digits (RankSet::most_listed).
constexpr int64_t most_digits = 8;
static_assert(trace::RankSet::most_listed < 100'000'000);

int64_t digits_of(int64_t n) {
  int64_t digits = 1;
  for (; n >= 10; n /= 10) ++digits;
  return digits;
}

/// digits(P - less) + more
struct WidthLaw {
  int64_t less = 0, more = 0;
  int64_t at(int64_t nprocs) const { return digits_of(nprocs - less) + more; }

  /// How many powers of ten P - less has passed.
  RankExpression steps() const {
    RankExpression sum;
    int64_t power = 10;
    for (int64_t k = 1; k < most_digits; ++k, power *= 10) {
      RankExpression passed =
          RankExpression::at_least(RankExpression::nprocs(), RankExpression::constant(power + less));
      sum = k == 1 ? passed : sum + passed;
    }
    return sum;
  }
};
constexpr std::array<WidthLaw, 6> width_laws = {{{1, 0}, {0, 0}, {1, 1}, {0, 1}, {1, 2}, {0, 2}}};

bool allows(const Template& t, const NameUse& use, size_t field, int64_t width) {
  if (use.fields[field] < 0) return false;
  if (t.widths[field] > 1) return t.widths[field] == width;
  return width <= digits_of(use.fields[field]);
}

/// All widths of the template, those of padded fields being one and the same.
class Widths {
 public:
  Widths(const std::vector<NameUse>& uses, const std::vector<Template>& templates)
      : uses_(uses), templates_(templates) {}

  bool fits(size_t field, const std::function<int64_t(int64_t)>& width) const {
    return std::all_of(uses_.begin(), uses_.end(), [&](const NameUse& use) {
      return allows(templates_[static_cast<size_t>(use.text)], use, field, width(use.nprocs));
    });
  }

  /// A width that is the same in all runs: the largest that shows anywhere.
  std::optional<uint8_t> constant(size_t field) const {
    uint8_t widest = 1;
    for (const NameUse& use : uses_)
      widest = std::max(widest, templates_[static_cast<size_t>(use.text)].widths[field]);
    if (!fits(field, [&](int64_t) { return widest; })) return {};
    return widest > 1 ? widest : uint8_t{0};
  }

  bool varies(size_t field) const {
    return std::any_of(uses_.begin(), uses_.end(),
                       [&](const NameUse& use) { return use.fields[field] != uses_[0].fields[field]; });
  }

 private:
  const std::vector<NameUse>& uses_;
  const std::vector<Template>& templates_;
};

/// Where these stand one after the other in the table, to which they are added if they don't.
int64_t place_of(const std::vector<Template>& sought, std::vector<Template>& templates) {
  auto found = std::search(templates.begin(), templates.end(), sought.begin(), sought.end());
  auto place = found - templates.begin();
  if (found == templates.end()) templates.insert(templates.end(), sought.begin(), sought.end());
  return place;
}

bool comparable(const std::vector<NameUse>& uses, const std::vector<Template>& templates) {
  if (uses.empty()) return false;
  auto size = static_cast<int64_t>(templates.size());
  return std::all_of(uses.begin(), uses.end(), [&](const NameUse& use) {
    if (use.text < 0 || use.text >= size || uses[0].text < 0 || uses[0].text >= size) return false;
    const Template& t = templates[static_cast<size_t>(use.text)];
    return t.literals == templates[static_cast<size_t>(uses[0].text)].literals &&
           t.fields() == use.fields.size() && t.fields() > 0;
  });
}

/// The number at a place, if loops have nothing to do with it.
std::optional<int64_t> plain_at(const trace::Value& v, uint32_t place, size_t position) {
  bool plain = std::all_of(v.slopes.begin(), v.slopes.end(), [](const trace::Number& n) {
    return n.is_constant() && (n.constant() == 0 || n.constant() == trace::Value::any_slope ||
                               n.constant() == Unified::unknown_slope);
  });
  if (v.form != trace::Form::affine || !plain) return {};
  return v.base.at(place, position);
}

RankExpression width_text(const WidthLaw& law) {
  return RankExpression::constant(1 + law.more) + law.steps();
}

}  // namespace

std::vector<NameUse> names_at(const trace::Node& event, size_t p, const trace::RankSet& ranks,
                              const Unified& unified) {
  std::vector<uint32_t> members = ranks.expand();
  const std::vector<Template>& templates = unified.trace.templates;
  std::vector<NameUse> uses;
  for (size_t k = 0; k < members.size(); ++k) {
    std::optional<int64_t> text = plain_at(event.parameters[p], members[k], k);
    if (!text || *text < 0 || static_cast<size_t>(*text) >= templates.size()) return {};
    NameUse& use = uses.emplace_back(NameUse{.nprocs = unified.places[members[k]].nprocs, .text = *text});
    for (size_t i = 1; i <= templates[static_cast<size_t>(*text)].fields(); ++i) {
      std::optional<int64_t> field = plain_at(event.parameters[p + i], members[k], k);
      if (!field) return {};
      use.fields.push_back(*field);
    }
  }
  return uses;
}

std::optional<PaddedName> padded_name(const std::vector<NameUse>& uses, std::vector<Template>& templates) {
  if (!comparable(uses, templates)) return {};
  Widths widths(uses, templates);
  Template form = templates[static_cast<size_t>(uses[0].text)];
  std::vector<size_t> following;  // fields whose width follows P
  PaddedName name;
  for (size_t f = 0; f < form.fields(); ++f) {
    std::optional<uint8_t> width = widths.constant(f);
    form.widths[f] = width.value_or(0);
    if (!width) following.push_back(f);
    bool follows = widths.varies(f) && widths.fits(f, [](int64_t p) { return width_laws[0].at(p); });
    if (width && follows) {  // every number has as many digits as P-1 in all runs: either may be meant
      name.width = RankExpression::constant(std::max<int64_t>(1, *width));
      name.other = width_text(width_laws[0]);
    }
  }
  if (following.empty()) {
    name.text = RankExpression::constant(place_of({form}, templates));
    return name;
  }
  std::vector<WidthLaw> good;
  for (const WidthLaw& law : width_laws)
    if (std::all_of(following.begin(), following.end(),
                    [&](size_t f) { return widths.fits(f, [&](int64_t p) { return law.at(p); }); }))
      good.push_back(law);
  if (good.empty()) return {};
  std::vector<Template> forms;
  for (int64_t digits = 1; digits <= most_digits; ++digits) {
    int64_t width = digits + good[0].more;
    for (size_t f : following) form.widths[f] = static_cast<uint8_t>(width > 1 ? width : 0);
    forms.push_back(form);
  }
  name.text = RankExpression::constant(place_of(forms, templates)) + good[0].steps();
  if (good.size() > 1) {
    name.width = width_text(good[0]);
    name.other = width_text(good[1]);
  }
  return name;
}

}  // namespace refrain::extrapolate
