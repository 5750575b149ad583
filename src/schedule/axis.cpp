// See axis.hpp.
#include "schedule/axis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace refrain::schedule {

namespace {

constexpr double most_steps = 8;

/// 1, 2 or 5 times a power of ten.
double round_step(double range) {
  double step = std::pow(10, std::floor(std::log10(range / most_steps)));
  for (double factor : {1.0, 2.0, 5.0})
    if (range / (step * factor) <= most_steps) return step * factor;
  return step * 10;
}

/// Multiples of a step within the range.
std::vector<double> multiples(double step, double low, double high) {
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
    ticks.push_back(i * step);
  return ticks;
}

/// 1, 2 and 5 times the powers of ten; where that gives too few, round steps.
std::vector<double> log_ticks(double low, double high) {
  std::vector<double> ticks;
  for (double power = std::pow(10, std::floor(std::log10(low))); power < high; power *= 10)
    for (double factor : {1.0, 2.0, 5.0})
      if (power * factor >= low && power * factor <= high) ticks.push_back(power * factor);
  return ticks.size() >= 4 ? ticks : multiples(round_step(high - low), low, high);
}

struct TimeUnit {
  const char* name;
  double seconds;
  double from;                    ///< lengths of time for which it is used
  std::span<const double> steps;  ///< round ones; none: by powers of ten
};
constexpr double minute_steps[] = {0.5, 1, 2, 5, 10, 15, 20};
constexpr double hour_steps[] = {0.5, 1, 2, 3, 6, 12};
constexpr TimeUnit time_units[] = {{"us", 1e-6, 0, {}},
                                   {"ms", 1e-3, 1e-3, {}},
                                   {"s", 1, 1, {}},
                                   {"min", 60, 180, minute_steps},
                                   {"h", 3600, 3 * 3600, hour_steps},
                                   {"d", 86400, 4 * 86400, {}}};

const TimeUnit& unit_for(double seconds) {
  const TimeUnit* unit = &time_units[0];
  for (const TimeUnit& larger : time_units)
    if (seconds >= larger.from) unit = &larger;
  return *unit;
}

}  // namespace

double Axis::share(double value) const {
  if (is_log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

Axis make_axis(std::vector<double> values, bool is_log, const std::vector<double>& ticks) {
  values.insert(values.end(), ticks.begin(), ticks.end());
  if (values.empty()) values = {0, 1};
  auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  Axis axis{*lowest, *highest, is_log && *lowest > 0, ticks};
  if (axis.high <= axis.low) axis.high = axis.low + (axis.low == 0 ? 1 : std::abs(axis.low));
  constexpr double room = 0.04;  // for marks at the ends
  if (axis.is_log) {
    double margin = std::pow(axis.high / axis.low, room);
    axis.low /= margin;
    axis.high *= margin;
  } else {
    double margin = (axis.high - axis.low) * room;
    bool begins_at_zero = axis.low >= 0 && axis.low < 0.2 * axis.high;
    axis.low = begins_at_zero ? 0 : axis.low - margin;
    axis.high += margin;
  }
  if (ticks.empty())
    axis.ticks = axis.is_log ? log_ticks(axis.low, axis.high)
                             : multiples(round_step(axis.high - axis.low), axis.low, axis.high);
  return axis;
}

std::string tick_text(double value) {
  if (std::abs(value) < 1e-12) return "0";
  return fmt::format("{:.4g}", value);
}

std::vector<Moment> round_moments(double until_seconds) {
  const TimeUnit& unit = unit_for(until_seconds);
  double length = until_seconds / unit.seconds;
  double step = 0;
  for (double s : unit.steps)
    if (step == 0 && length / s <= most_steps) step = s;
  if (step == 0) step = round_step(length);
  std::vector<Moment> moments;
  for (double at : multiples(step, 0, length))
    moments.push_back({at * unit.seconds, at == 0 ? "0" : tick_text(at) + " " + unit.name});
  return moments;
}

std::string length_text(double seconds) {
  const TimeUnit& unit = unit_for(seconds);
  return fmt::format("{:.3g} {}", seconds / unit.seconds, unit.name);
}

}  // namespace refrain::schedule
