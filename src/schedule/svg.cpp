// See svg.hpp.
#include "schedule/svg.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace refrain::schedule {

namespace {

std::string dash_attribute(std::string_view dashes) {
  return dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes);
}

std::string point_list(const Svg::Points& points) {
  std::string list;
  for (auto [x, y] : points) list += fmt::format("{}{:.1f},{:.1f}", list.empty() ? "" : " ", x, y);
  return list;
}

}  // namespace

double text_width(std::string_view text, double size) {
  auto characters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return static_cast<double>(characters) * size * 0.58;
}

std::string_view color(size_t number) {
  static constexpr std::array<std::string_view, 8> colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                             "#e69f00", "#56b4e9", "#000000", "#8c6d31"};
  return colors[number % colors.size()];
}

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (byte >= ' ' && byte != 0x7F) {
      out += c;
    }
  }
  return out;
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke, double width,
               std::string_view dashes) {
  body_ += fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n",
      x1, y1, x2, y2, stroke, width, dash_attribute(dashes));
}

void Svg::polyline(const Points& points, std::string_view stroke, double width, std::string_view dashes,
                   double shift) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}{}/>\n",
                       point_list(points), stroke, width, dash_attribute(dashes),
                       shift != 0 ? fmt::format(" stroke-dashoffset=\"{}\"", shift) : "");
}

void Svg::polygon(const Points& points, std::string_view fill) {
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", point_list(points), fill);
}

void Svg::circle(double x, double y, double radius, std::string_view fill, double opacity) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"{}/>\n", x, y, radius, fill,
                       opacity < 1 ? fmt::format(" fill-opacity=\"{}\"", opacity) : "");
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view fill,
                    std::string_view stroke, std::string_view tooltip) {
  body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"{}", x,
                       y, width, height, fill, stroke.empty() ? "" : fmt::format(" stroke=\"{}\"", stroke));
  body_ += tooltip.empty() ? "/>\n" : fmt::format("><title>{}</title></rect>\n", escaped(tooltip));
}

void Svg::text(double x, double y, std::string_view text, Anchor anchor, double size, bool upwards) {
  static constexpr std::array<std::string_view, 3> anchors = {"start", "middle", "end"};
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", x,
                       y, size, anchors[static_cast<size_t>(anchor)],
                       upwards ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, y) : "",
                       escaped(text));
}

void Svg::place(double x, double y, const Svg& other) {
  body_ += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n", x, y, other.body_);
}

std::string Svg::document(double width, double height) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
      width, height, body_);
}

}  // namespace refrain::schedule
