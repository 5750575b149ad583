// See chart.hpp.
#include "schedule/chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "schedule/axis.hpp"

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

/// Series that lie upon each other share a line of dashes in turn, and their marks stand beside each other.
struct Turn {
  size_t number = 0;
  size_t of = 1;
};

/// A mark of its own for every style: also who sees no colors, or prints without them, tells series apart.
void draw_mark(Svg& svg, double x, double y, size_t style) {
  constexpr double r = 3.5;
  std::string_view fill = color(style);
  switch (style % 6) {
    case 0:
      return svg.circle(x, y, r, fill);
    case 1:
      return svg.rectangle(x - 3, y - 3, 6, 6, fill);
    case 2:
      return svg.polygon({{x, y - r - 1}, {x + r + 0.5, y + r - 0.5}, {x - r - 0.5, y + r - 0.5}}, fill);
    case 3:
      return svg.polygon({{x, y - r - 1}, {x + r + 1, y}, {x, y + r + 1}, {x - r - 1, y}}, fill);
    case 4:
      return svg.polygon({{x, y + r + 1}, {x + r + 0.5, y - r + 0.5}, {x - r - 0.5, y - r + 0.5}}, fill);
    default:
      svg.line(x - r, y - r, x + r, y + r, fill, 2);
      svg.line(x - r, y + r, x + r, y - r, fill, 2);
  }
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
    draw_mark(svg, left + 11, top - 4, series.style);
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
  auto label = [](const std::string& text, const Axis& axis) {
    return axis.is_log && !text.empty() ? text + " (log scale)" : text;
  };
  svg.text(width / 2, height + 34, label(chart.x_label, x), Svg::Anchor::middle, 11);
  svg.text(-46, height / 2, label(chart.y_label, y), Svg::Anchor::middle, 11, true);
}

void draw_series(const Series& series, const Svg::Points& pixels, const Turn& turn, Svg& svg) {
  constexpr double dash = 9;
  if (series.joined && pixels.size() > 1) {
    if (turn.of == 1)
      svg.polyline(pixels, color(series.style), 2, dashes_of(series.style));
    else
      svg.polyline(pixels, color(series.style), 2,
                   fmt::format("{} {}", dash, dash * static_cast<double>(turn.of - 1)),
                   -dash * static_cast<double>(turn.number));
  }
  double aside = (static_cast<double>(turn.number) - static_cast<double>(turn.of - 1) / 2) * 8;
  for (auto [x, y] : pixels) {
    if (series.faint)
      svg.circle(x, y, 1.6, color(series.style), 0.3);
    else
      draw_mark(svg, x + aside, y, series.style);
  }
}

bool lie_together(const Svg::Points& a, const Svg::Points& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& p, const auto& q) {
           return std::abs(p.first - q.first) < 1 && std::abs(p.second - q.second) < 3;
         });
}

/// For every series: which of those that lie where it lies it is.
std::vector<Turn> turns_of(const std::vector<Series>& series, const std::vector<Svg::Points>& pixels) {
  std::vector<size_t> first(series.size());  // the one that it lies upon
  std::vector<Turn> turns(series.size());
  for (size_t i = 0; i < series.size(); ++i) {
    first[i] = i;
    for (size_t j = 0; j < i && !series[i].faint && first[i] == i; ++j)
      if (!series[j].faint && first[j] == j && lie_together(pixels[j], pixels[i])) first[i] = j;
    if (first[i] != i) turns[i].number = turns[first[i]].of++;
  }
  for (size_t i = 0; i < series.size(); ++i) turns[i].of = turns[first[i]].of;
  return turns;
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
  Axis y = make_axis(std::move(ys), chart.log_y);
  draw_axes(chart, x, y, svg, width, height);
  std::vector<Svg::Points> pixels(chart.series.size());
  for (size_t i = 0; i < pixels.size(); ++i)
    for (const auto& [px, py] : chart.series[i].points)
      pixels[i].emplace_back(width * x.share(px), height * (1 - y.share(py)));
  std::vector<Turn> turns = turns_of(chart.series, pixels);
  for (size_t i = 0; i < pixels.size(); ++i) draw_series(chart.series[i], pixels[i], turns[i], svg);
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
  constexpr double step = 22;
  constexpr double width = 560;
  double height = step * static_cast<double>(bars.bars.size());
  std::vector<double> sums(bars.bars.size());
  for (const StackedBars::Part& part : bars.parts) {
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += part.values[i];
  }
  // Numbers stand behind the bars.
  double longest = sums.empty() ? 1 : *std::max_element(sums.begin(), sums.end());
  Axis x = make_axis({0, longest * 1.06}, false);
  double margin = 0;
  for (const std::string& name : bars.bars) margin = std::max(margin, text_width(name, 11) + 12);
  Svg plot;
  plot.text(width / 2, -12, bars.title, Svg::Anchor::middle, 13);
  for (double tick : x.ticks) {
    double at = width * x.share(tick);
    plot.line(at, 0, at, height, "#dddddd");
    plot.text(at, height + 16, tick_text(tick), Svg::Anchor::middle, 10);
  }
  plot.text(width / 2, height + 34, bars.label, Svg::Anchor::middle, 11);
  std::vector<double> begins(bars.bars.size());
  for (size_t p = 0; p < bars.parts.size(); ++p) {
    for (size_t i = 0; i < bars.bars.size(); ++i) {
      double value = bars.parts[p].values[i];
      double left = width * x.share(begins[i]);
      begins[i] += value;
      plot.rectangle(left, static_cast<double>(i) * step + 3, width * x.share(begins[i]) - left, step - 6,
                     color(p), {}, fmt::format("{}, {}: {:.3f}", bars.bars[i], bars.parts[p].name, value));
    }
  }
  plot.rectangle(0, 0, width, height, "none", "#444444");
  for (size_t i = 0; i < bars.bars.size(); ++i) {
    double middle = (static_cast<double>(i) + 0.5) * step + 4;
    plot.text(-6, middle, bars.bars[i], Svg::Anchor::end, 11);
    plot.text(width * x.share(begins[i]) + 4, middle, fmt::format("{:.3f}", begins[i]), Svg::Anchor::start,
              10);
  }
  double left = 0;
  for (size_t p = 0; p < bars.parts.size() && bars.parts.size() > 1; ++p) {
    plot.rectangle(left, height + 48, 12, 12, color(p));
    plot.text(left + 18, height + 58, bars.parts[p].name, Svg::Anchor::start, 11);
    left += text_width(bars.parts[p].name, 11) + 44;
  }
  Svg svg;
  svg.place(margin, top_margin, plot);
  return svg.document(margin + width + 16, top_margin + height + (bars.parts.size() > 1 ? 72 : 44));
}

}  // namespace refrain::schedule
