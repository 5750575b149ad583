// Charts: lines and points over two axes, and stacked bars.
#pragma once

#include <string>
#include <vector>

#include "schedule/svg.hpp"

namespace refrain::schedule {

struct Series {
  std::string name{};
  Svg::Points points{};
  bool joined = true;  ///< by a line
  bool faint = false;  ///< small pale marks, for clouds of points; not in the legend
  size_t style = 0;    ///< color and dashes
};

struct Chart {
  std::string title{};
  std::string x_label{};
  std::string y_label{};
  bool log_x = false;
  bool log_y = false;
  std::vector<double> x_ticks{};  ///< none: chosen
  std::vector<double> y_shown{};  ///< values that the axis must reach
  std::vector<Series> series{};
};

/// Bars below each other, each a row of parts from left to right.
struct StackedBars {
  struct Part {
    std::string name{};
    std::vector<double> values{};  ///< by bar
  };
  std::string title{};
  std::string label{};  ///< of what they are as long as
  std::vector<std::string> bars{};
  std::vector<Part> parts{};
};

std::string chart_svg(const Chart& chart);
/// Several charts in rows of `columns`; the legend is that of the first.
std::string chart_grid_svg(const std::vector<Chart>& charts, size_t columns);
std::string bars_svg(const StackedBars& bars);

}  // namespace refrain::schedule
