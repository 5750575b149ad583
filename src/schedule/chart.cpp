// See chart.hpp.
#include "schedule/chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace refrain::schedule {

namespace {

constexpr double left_margin = 62;
constexpr double top_margin = 30;
constexpr double bottom_margin = 46;
constexpr double legend_row = 16;

std::string_view dashes_of(size_t style) {
  static constexpr std::array<std::string_view, 3> kinds = {"", "6 3", "2 2"};
  return kinds[style / 8 % kinds.size()];
}

/// One axis: from values to pixels, and where its ticks are.
struct Axis {
  double low = 0;
  double high = 1;
  bool is_log = false;
  std::vector<double> ticks{};

  double share(double value) const {
    if (is_log) return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
  }
};

/// 1, 2 or 5 times a power of ten, so that a range has about six steps.
double round_step(double range) {
  double step = std::pow(10, std::floor(std::log10(range / 6)));
  for (double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (range / (step * factor) <= 6.5) return step * factor;
  }
  return step * 10;
}

/// Multiples of a round step within the range.
std::vector<double> round_ticks(double low, double high) {
  double step = round_step(high - low);
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
    ticks.push_back(i * step);
  return ticks;
}

/// 1, 2 and 5 times the powers of ten; where that gives too few, round steps.
std::vector<double> log_ticks(double low, double high) {
  std::vector<double> ticks;
  for (double power = std::pow(10, std::floor(std::log10(low))); power < high; power *= 10) {
    for (double factor : {1.0, 2.0, 5.0}) {
      if (power * factor >= low && power * factor <= high) ticks.push_back(power * factor);
    }
  }
  return ticks.size() >= 4 ? ticks : round_ticks(low, high);
}

/// An axis for these values; `ticks`, if any, are part of it.
Axis make_axis(std::vector<double> values, bool is_log, const std::vector<double>& ticks) {
  values.insert(values.end(), ticks.begin(), ticks.end());
  if (values.empty()) values = {0, 1};
  auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  Axis axis{*lowest, *highest, is_log && *lowest > 0, ticks};
  if (axis.high <= axis.low) axis.high = axis.low + (axis.low == 0 ? 1 : std::abs(axis.low));
  if (axis.is_log) {
    axis.low *= 0.97;
    axis.high *= 1.03;
  } else {
    double margin = (axis.high - axis.low) * 0.03;
    axis.low = axis.low == 0 ? 0 : axis.low - margin;
    axis.high += margin;
  }
  if (ticks.empty()) axis.ticks = (axis.is_log ? log_ticks : round_ticks)(axis.low, axis.high);
  return axis;
}

std::string tick_text(double value) {
  if (std::abs(value) < 1e-12) return "0";
  return fmt::format("{:.4g}", value);
}

double legend_height(const Chart& chart) {
  auto named =
      std::count_if(chart.series.begin(), chart.series.end(), [](const Series& s) { return !s.faint; });
  return legend_row * std::ceil(static_cast<double>(named) / 2) + 8;
}

void draw_legend(const Chart& chart, Svg& svg, double x, double y, double column) {
  size_t at = 0;
  for (const Series& series : chart.series) {
    if (series.faint) continue;
    double left = x + static_cast<double>(at % 2) * column;
    size_t row = at / 2;
    double top = y + static_cast<double>(row) * legend_row;
    if (series.joined)
      svg.line(left, top - 4, left + 22, top - 4, color(series.style), 2, dashes_of(series.style));
    svg.circle(left + 11, top - 4, 3, color(series.style));
    svg.text(left + 28, top, series.name, Svg::Anchor::start, 11);
    ++at;
  }
}

/// The frame, ticks and labels of a plot of this size at the origin.
void draw_axes(const Chart& chart, const Axis& x, const Axis& y, Svg& svg, double width, double height) {
  svg.text(width / 2, -12, chart.title, Svg::Anchor::middle, 13);
  for (double tick : y.ticks) {
    double at = height * (1 - y.share(tick));
    svg.line(0, at, width, at, "#dddddd");
    svg.text(-6, at + 4, tick_text(tick), Svg::Anchor::end, 10);
  }
  for (double tick : x.ticks) {
    double at = width * x.share(tick);
    svg.line(at, height, at, height + 4, "#444444");
    svg.text(at, height + 16, tick_text(tick), Svg::Anchor::middle, 10);
  }
  svg.rectangle(0, 0, width, height, "none", "#444444");
  svg.text(width / 2, height + 34, chart.x_label, Svg::Anchor::middle, 11);
  svg.text(-46, height / 2, chart.y_label, Svg::Anchor::middle, 11, true);
}

void draw_series(const Series& series, const Axis& x, const Axis& y, Svg& svg, double width, double height) {
  Svg::Points pixels;
  for (auto [px, py] : series.points) pixels.emplace_back(width * x.share(px), height * (1 - y.share(py)));
  if (series.joined && pixels.size() > 1) {
    svg.polyline(pixels, color(series.style), 2, dashes_of(series.style));
  }
  for (auto [px, py] : pixels) {
    svg.circle(px, py, series.faint ? 1.6 : 3, color(series.style), series.faint ? 0.3 : 1);
  }
}

void draw_plot(const Chart& chart, Svg& svg, double width, double height) {
  std::vector<double> xs;
  std::vector<double> ys;
  for (const Series& series : chart.series) {
    for (auto [x, y] : series.points) {
      xs.push_back(x);
      ys.push_back(y);
    }
  }
  Axis x = make_axis(std::move(xs), chart.log_x, chart.x_ticks);
  ys.insert(ys.end(), chart.y_shown.begin(), chart.y_shown.end());
  Axis y = make_axis(std::move(ys), chart.log_y, {});
  draw_axes(chart, x, y, svg, width, height);
  for (const Series& series : chart.series) draw_series(series, x, y, svg, width, height);
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  constexpr double width = 560;
  constexpr double height = 320;
  Svg svg;
  Svg plot;
  draw_plot(chart, plot, width, height);
  svg.place(left_margin, top_margin, plot);
  draw_legend(chart, svg, left_margin, top_margin + height + bottom_margin + 10, width / 2);
  return svg.document(left_margin + width + 16, top_margin + height + bottom_margin + legend_height(chart));
}

std::string chart_grid_svg(const std::vector<Chart>& charts, size_t columns) {
  constexpr double width = 250;
  constexpr double height = 170;
  constexpr double step_x = left_margin + width + 10;
  constexpr double step_y = top_margin + height + bottom_margin;
  Svg svg;
  for (size_t i = 0; i < charts.size(); ++i) {
    Svg plot;
    draw_plot(charts[i], plot, width, height);
    size_t row = i / columns;
    svg.place(static_cast<double>(i % columns) * step_x + left_margin,
              static_cast<double>(row) * step_y + top_margin, plot);
  }
  double bottom = std::ceil(static_cast<double>(charts.size()) / static_cast<double>(columns)) * step_y;
  if (!charts.empty()) draw_legend(charts[0], svg, left_margin, bottom + 10, step_x);
  double legend = charts.empty() ? 0 : legend_height(charts[0]);
  return svg.document(step_x * static_cast<double>(columns), bottom + legend + 4);
}

std::string bars_svg(const StackedBars& bars) {
  constexpr double step = 84;
  constexpr double height = 300;
  double width = step * static_cast<double>(bars.bars.size());
  std::vector<double> sums(bars.bars.size());
  for (const StackedBars::Part& part : bars.parts) {
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += part.values[i];
  }
  sums.push_back(0);
  Axis y = make_axis(sums, false, {});
  Svg plot;
  draw_axes({.title = bars.title, .y_label = bars.y_label}, {}, y, plot, width, height);
  std::vector<double> bottoms(bars.bars.size());
  for (size_t p = 0; p < bars.parts.size(); ++p) {
    for (size_t i = 0; i < bars.bars.size(); ++i) {
      double value = bars.parts[p].values[i];
      double top = height * (1 - y.share(bottoms[i] + value));
      plot.rectangle(static_cast<double>(i) * step + 16, top, step - 32,
                     height * (1 - y.share(bottoms[i])) - top, color(p), {},
                     fmt::format("{}, {}: {:.3f}", bars.bars[i], bars.parts[p].name, value));
      bottoms[i] += value;
    }
  }
  for (size_t i = 0; i < bars.bars.size(); ++i) {
    double line = 0;
    for (size_t from = 0; from < bars.bars[i].size(); line += 12) {  // a word per line
      size_t space = std::min(bars.bars[i].find(' ', from), bars.bars[i].size());
      plot.text((static_cast<double>(i) + 0.5) * step, height + 14 + line,
                bars.bars[i].substr(from, space - from), Svg::Anchor::middle, 10);
      from = space + 1;
    }
  }
  for (size_t p = 0; p < bars.parts.size(); ++p) {
    double left = static_cast<double>(p) * 100;
    plot.rectangle(left, height + 60, 12, 12, color(p));
    plot.text(left + 18, height + 70, bars.parts[p].name, Svg::Anchor::start, 11);
  }
  Svg svg;
  svg.place(left_margin, top_margin, plot);
  return svg.document(left_margin + width + 16, top_margin + height + 84);
}

}  // namespace refrain::schedule
