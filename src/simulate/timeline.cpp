// See timeline.hpp.
#include "simulate/timeline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "schedule/axis.hpp"
#include "schedule/svg.hpp"

namespace refrain::simulate {

namespace {

using schedule::Svg;

constexpr double chart_left = 140, chart_width = 900, chart_top = 40, band_height = 90, chart_height = 60;

struct Scale {
  double end_s = 1;      ///< at the right edge
  double peak_rate = 1;  ///< bytes per second at the top of a chart
  double x(double at_s) const { return chart_left + chart_width * at_s / end_s; }
};

double peak(const Usage& usage) {
  return usage.bytes.empty() ? 0 : *std::max_element(usage.bytes.begin(), usage.bytes.end()) / usage.bin_s;
}

void draw_application(Svg& svg, const ApplicationOutcome& a, size_t number, const Scale& scale) {
  double y = chart_top + band_height * static_cast<double>(number);
  double floor = y + chart_height;
  svg.text(chart_left - 8, y + chart_height / 2, a.name, Svg::Anchor::end);
  svg.text(chart_left - 8, y + chart_height / 2 + 14,
           fmt::format("{} ranks, {}", a.ranks, schedule::length_text(a.seconds())), Svg::Anchor::end, 10);
  svg.line(scale.x(a.start_s), floor, scale.x(a.end_s), floor, "#888888");
  for (const Phase& phase : a.phases) {
    svg.rectangle(scale.x(phase.start_s), floor + 2,
                  std::max(0.5, scale.x(phase.end_s) - scale.x(phase.start_s)), 6, schedule::color(number),
                  {},
                  fmt::format("{:.6g} to {:.6g} s: {} bytes read, {} written", phase.start_s, phase.end_s,
                              phase.bytes_read, phase.bytes_written));
  }
  for (size_t i = 0; i < a.usage.bytes.size(); ++i) {
    double height = chart_height * a.usage.bytes[i] / a.usage.bin_s / scale.peak_rate;
    if (!(height > 0)) continue;
    double from = scale.x(static_cast<double>(i) * a.usage.bin_s);
    double to = scale.x(std::min(scale.end_s, static_cast<double>(i + 1) * a.usage.bin_s));
    svg.rectangle(from, floor - height, std::max(0.3, to - from), height, schedule::color(number));
  }
}

/// "79.6 GB/s": three digits.
std::string rate_words(double bytes_per_s) {
  const char* const units[] = {"B/s", "KB/s", "MB/s", "GB/s", "TB/s"};
  size_t unit = 0;
  for (; bytes_per_s >= 999.5 && unit + 1 < std::size(units); ++unit) bytes_per_s /= 1000;
  return fmt::format("{:.3g} {}", bytes_per_s, units[unit]);
}

}  // namespace

std::string timeline_svg(const Outcome& outcome, const std::string& title) {
  Svg svg;
  Scale scale{.end_s = std::max(outcome.makespan_s(), 1e-9)};
  for (const ApplicationOutcome& a : outcome.applications)
    scale.peak_rate = std::max(scale.peak_rate, peak(a.usage));
  svg.text(chart_left, 20, title, Svg::Anchor::start, 14);
  for (size_t i = 0; i < outcome.applications.size(); ++i)
    draw_application(svg, outcome.applications[i], i, scale);
  for (const Lease& lease : outcome.leases) {
    double y = chart_top + band_height * static_cast<double>(lease.application) + chart_height + 10;
    svg.rectangle(
        scale.x(lease.start_s), y, std::max(0.5, scale.x(lease.end_s) - scale.x(lease.start_s)), 4, "#444444",
        {},
        fmt::format("lease of I/O node {}: {:.6g} to {:.6g} s", lease.io_node, lease.start_s, lease.end_s));
  }
  double bottom = chart_top + band_height * static_cast<double>(outcome.applications.size());
  for (const schedule::Moment& moment : schedule::round_moments(scale.end_s)) {
    svg.line(scale.x(moment.seconds), chart_top, scale.x(moment.seconds), bottom, "#dddddd");
    svg.text(scale.x(moment.seconds), bottom + 14, moment.text, Svg::Anchor::middle, 10);
  }
  svg.text(chart_left, bottom + 32, "full height: " + rate_words(scale.peak_rate), Svg::Anchor::start, 10);
  return svg.document(chart_left + chart_width + 40, bottom + 44);
}

}  // namespace refrain::simulate
