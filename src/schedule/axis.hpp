// Axes of charts: from values to places, and ticks at round values.
#pragma once

#include <string>
#include <vector>

namespace refrain::schedule {

struct Axis {
  double low = 0;
  double high = 1;
  bool is_log = false;
  std::vector<double> ticks{};

  /// Where a value lies: 0 at the beginning of the axis, 1 at its end.
  double share(double value) const;
};

/// An axis for these values; `ticks`, if any, are part of it, or else round ones are chosen.
Axis make_axis(std::vector<double> values, bool is_log, const std::vector<double>& ticks = {});
std::string tick_text(double value);

/// A moment on an axis of time that begins at 0.
struct Moment {
  double seconds = 0;
  std::string text{};  ///< "0", "20 min"
};
/// Up to nine round moments until then.
std::vector<Moment> round_moments(double until_seconds);
/// A length of time in the unit that suits it: "4.33 d".
std::string length_text(double seconds);

}  // namespace refrain::schedule
