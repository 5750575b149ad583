// What can be said of a sequence without a law.
#include "extrapolate/run_values.hpp"

#include <algorithm>
#include <set>

namespace refrain::extrapolate {

std::string values_text(const Sequence& s) {
  std::string text;
  for (const Series& series : s.series) {
    text += (text.empty() ? "P=" : "; P=") + std::to_string(series.nprocs) + ":";
    size_t n = series.values.size();
    for (size_t i = 0; i < n && i < 6; ++i) text += " " + std::to_string(series.values[i]);
    if (n > 6) text += " ...";
  }
  return text;
}

int64_t largest(const Sequence& s) {
  int64_t most = 0;
  for (const Series& series : s.series)
    most = std::max(most, *std::max_element(series.values.begin(), series.values.end()));
  return most;
}

size_t distinct_sizes(const Sequence& s) {
  if (s.size.is_constant()) return s.series.size();
  std::set<int64_t> sizes;
  for (const Series& series : s.series) sizes.insert(s.size_at(series.nprocs));
  return sizes.size();
}

bool is_plain(const Sequence& s) {
  auto several = [](const Series& series) { return series.values.size() > 1; };
  return std::any_of(s.series.begin(), s.series.end(), several) &&
         std::all_of(s.series.begin(), s.series.end(), [&](const Series& series) {
           bool complete = static_cast<int64_t>(series.places.size()) == s.size_at(series.nprocs);
           return complete && std::all_of(series.values.begin(), series.values.end(),
                                          [&](int64_t v) { return v == series.values[0]; });
         });
}

bool is_condition(const RankExpression& law) {
  using trace::Operation;
  if (law.negated_comparison()) return true;
  switch (law.operation()) {
    case Operation::less:
    case Operation::at_least:
    case Operation::equal:
      return true;
    case Operation::constant:
      return law.number() >= -1 && law.number() <= 1;  // 1 - (rank==0) - (rank==P-1)
    case Operation::modulo:
      return law.number() == 2;
    case Operation::table: {
      std::vector<int64_t> values = law.table().expand();
      return std::all_of(values.begin(), values.end(), [](int64_t v) { return v == 0 || v == 1; });
    }
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::minimum:
    case Operation::select:
    case Operation::both:
      for (size_t i = law.operation() == Operation::select ? 1 : 0; i < law.operands(); ++i)
        if (!is_condition(law.operand(i))) return false;
      return true;
    default:
      return false;
  }
}

}  // namespace refrain::extrapolate
