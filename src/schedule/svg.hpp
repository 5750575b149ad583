// Pictures as text: the few shapes that charts and schedules need. Coordinates are pixels.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace refrain::schedule {

/// Colors that stay apart for people who confuse some; repeats after eight.
std::string_view color(size_t number);

class Svg {
 public:
  using Points = std::vector<std::pair<double, double>>;
  enum class Anchor { start, middle, end };

  void line(double x1, double y1, double x2, double y2, std::string_view stroke, double width = 1,
            std::string_view dashes = {});
  /// `shift`: where the dashes begin.
  void polyline(const Points& points, std::string_view stroke, double width, std::string_view dashes = {},
                double shift = 0);
  void circle(double x, double y, double radius, std::string_view fill, double opacity = 1);
  void polygon(const Points& points, std::string_view fill);
  void rectangle(double x, double y, double width, double height, std::string_view fill,
                 std::string_view stroke = {}, std::string_view tooltip = {});
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::start, double size = 12,
            bool upwards = false);
  /// Puts what was drawn in `other` at (x, y).
  void place(double x, double y, const Svg& other);

  std::string document(double width, double height) const;

 private:
  std::string body_;
};

/// About how wide a text of this size is.
double text_width(std::string_view text, double size);

/// Markup characters written out, control characters dropped.
std::string escaped(std::string_view text);

}  // namespace refrain::schedule
