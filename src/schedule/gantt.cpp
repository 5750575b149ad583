// See gantt.hpp. Which nodes a job has is not part of the model; for the picture it gets the lowest free
// ones, in several pieces if they don't lie together.
#include "schedule/gantt.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "schedule/axis.hpp"

namespace refrain::schedule {

namespace {

constexpr double plot_width = 900;
constexpr double plot_left = 84;
constexpr double strip = 14;
constexpr double label_height = 13;
constexpr size_t detailed_intervals = 1500;

struct Piece {
  uint32_t first = 0;
  uint32_t count = 0;
};

/// Free nodes of a partition as intervals, by first node.
class FreeNodes {
 public:
  explicit FreeNodes(uint32_t nodes) { free_[0] = nodes; }

  std::vector<Piece> take(uint32_t nodes) {
    std::vector<Piece> pieces;
    while (nodes > 0 && !free_.empty()) {
      auto [first, count] = *free_.begin();
      free_.erase(free_.begin());
      uint32_t taken = std::min(count, nodes);
      pieces.push_back({first, taken});
      if (taken < count) free_[first + taken] = count - taken;
      nodes -= taken;
    }
    return pieces;
  }

  void give_back(const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
      auto next = free_.lower_bound(piece.first);
      auto added = free_.emplace_hint(next, piece.first, piece.count);
      if (next != free_.end() && piece.first + piece.count == next->first) {
        added->second += next->second;
        free_.erase(next);
      }
      if (added == free_.begin()) continue;
      auto before = std::prev(added);
      if (before->first + before->second == added->first) {
        before->second += added->second;
        free_.erase(added);
      }
    }
  }

 private:
  std::map<uint32_t, uint32_t> free_;
};

/// Nodes of every job. Ends come before starts of the same instant, except of jobs that take no time.
std::vector<std::vector<Piece>> assign_nodes(const Workload& workload,
                                             const std::vector<Placement>& placements) {
  struct Change {
    Time time;
    bool starts;
    uint32_t job;
  };
  std::vector<Change> changes;
  for (uint32_t job = 0; job < placements.size(); ++job) {
    if (placements[job].start == placements[job].end) continue;
    changes.push_back({placements[job].start, true, job});
    changes.push_back({placements[job].end, false, job});
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(a.time, a.starts, a.job) < std::tie(b.time, b.starts, b.job);
  });
  std::vector<FreeNodes> free;
  for (const IoNode& io_node : workload.machine.io_nodes) free.emplace_back(io_node.nodes);
  std::vector<std::vector<Piece>> pieces(placements.size());
  for (const Change& change : changes) {
    FreeNodes& nodes = free[placements[change.job].partition];
    if (change.starts) {
      pieces[change.job] = nodes.take(workload.jobs[change.job].nodes);
    } else {
      nodes.give_back(pieces[change.job]);
    }
  }
  return pieces;
}

constexpr double most_shaded = 3;

/// From pale blue at 1 to red.
std::string shade(double stretch) {
  double share = std::clamp((stretch - 1) / (most_shaded - 1), 0.0, 1.0);
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(214 + 41 * share), std::lround(232 - 130 * share),
                     std::lround(250 - 160 * share));
}

class Drawing {
 public:
  Drawing(const Workload& workload, const Outcome& outcome, const std::vector<IoInterval>& log, Time span)
      : workload_(workload),
        outcome_(outcome),
        log_(log),
        span_(std::max<Time>({1, outcome.makespan, span})) {
    double nodes = static_cast<double>(workload.machine.largest_partition());
    block_ = std::clamp(nodes * 12, 60.0, 220.0);
    scale_ = block_ / nodes;
  }

  GanttPicture draw(const std::string& title) {
    draw_jobs();
    if (shows_phases()) draw_phases();
    draw_labels();
    draw_strips();
    double bottom = top(workload_.machine.io_nodes.size()) - 8;
    draw_time(bottom);
    draw_legend(bottom + 40);
    svg_.text(
        plot_left, 16,
        fmt::format("{}: makespan {}, stretch {:.3f} at most, {:.3f} on average", title,
                    length_text(in_seconds(outcome_.makespan)), outcome_.max_stretch, outcome_.mean_stretch));
    return {std::move(svg_), plot_left + plot_width + 40, bottom + 56};
  }

 private:
  double top(size_t partition) const { return 26 + static_cast<double>(partition) * (block_ + strip + 12); }
  double x(Time time) const {
    return plot_left + plot_width * static_cast<double>(time) / static_cast<double>(span_);
  }

  void draw_time(double bottom) {
    svg_.line(plot_left, bottom, plot_left + plot_width, bottom, "#444444");
    for (const Moment& moment : round_moments(in_seconds(span_))) {
      double at = plot_left + plot_width * moment.seconds / in_seconds(span_);
      svg_.line(at, bottom, at, bottom + 4, "#444444");
      svg_.text(at, bottom + 16, moment.text, Svg::Anchor::middle, 10);
    }
  }

  void draw_legend(double y) {
    double x = plot_left;
    auto entry = [&](std::string_view fill, std::string_view stroke, const std::string& text) {
      svg_.rectangle(x, y, 14, 10, fill, stroke);
      svg_.text(x + 19, y + 9, text, Svg::Anchor::start, 10);
      x += text_width(text, 10) + 34;
    };
    svg_.text(x, y + 9, "stretch", Svg::Anchor::start, 10);
    x += text_width("stretch", 10) + 10;
    for (double stretch : {1.0, 1.5, 2.0, 2.5}) entry(shade(stretch), "#555555", tick_text(stretch));
    entry(shade(most_shaded), "#555555", fmt::format("{} or more", most_shaded));
    x += 16;
    if (shows_phases()) {
      entry("#0072b2", {}, "I/O");
      entry("white", "#999999", "waiting for I/O");
    }
    entry("#2d2d2d", {}, "I/O node busy");
    entry("#f5f5f5", "#bbbbbb", "idle");
  }

  /// The largest name that fits into a box: the job's own, or its number.
  std::string label(const Job& job, double wide) const {
    for (const std::string& text : {job.name, "job " + std::to_string(job.id), std::to_string(job.id)})
      if (!text.empty() && text_width(text, 10) + 6 <= wide) return text;
    return {};
  }

  bool shows_phases() const { return log_.size() <= detailed_intervals && !log_.empty(); }

  void draw_jobs() {
    pieces_ = assign_nodes(workload_, outcome_.placements);
    for (uint32_t job = 0; job < outcome_.placements.size(); ++job) {
      const Placement& p = outcome_.placements[job];
      const Job& described = workload_.jobs[job];
      std::string tooltip =
          fmt::format("job {} {}: {} nodes, {:.6g} to {:.6g} s, stretch {:.3f}", described.id, described.name,
                      described.nodes, in_seconds(p.start), in_seconds(p.end), outcome_.stretches[job]);
      double wide = x(p.end) - x(p.start);
      for (const Piece& piece : pieces_[job]) {
        double y = top(p.partition) + piece.first * scale_;
        double high = piece.count * scale_;
        svg_.rectangle(x(p.start), y, wide, high, shade(outcome_.stretches[job]), "#555555", tooltip);
      }
    }
  }

  /// In the largest piece of each job, above what is drawn inside.
  void draw_labels() {
    for (uint32_t job = 0; job < pieces_.size(); ++job) {
      auto largest = std::max_element(pieces_[job].begin(), pieces_[job].end(),
                                      [](const Piece& a, const Piece& b) { return a.count < b.count; });
      if (largest == pieces_[job].end() || largest->count * scale_ < 11) continue;
      const Placement& p = outcome_.placements[job];
      std::string text = label(workload_.jobs[job], x(p.end) - x(p.start));
      if (text.empty()) continue;
      double y = top(p.partition) + largest->first * scale_ + 10;
      svg_.text(x(p.start) + 3, y, text, Svg::Anchor::start, 10);
    }
  }

  /// Inside the boxes: waiting as a white bar, I/O as a dark one.
  void draw_phases() {
    bool exclusive = outcome_.setup.discipline.sharing == Sharing::exclusive;
    for (const IoInterval& io : log_) {
      if (pieces_[io.job].empty()) continue;
      const Piece& piece = pieces_[io.job].front();
      double high = piece.count * scale_;
      double above = high >= 22 ? label_height : high * 0.15;  // room for the job's name
      double y = top(io.partition) + piece.first * scale_ + above;
      high -= above + std::min(3.0, high * 0.15);
      Time begin = exclusive ? io.end - io.length : io.requested;
      if (begin > io.requested) {
        svg_.rectangle(x(io.requested), y + high * 0.2, x(begin) - x(io.requested), high * 0.6, "white",
                       "#999999");
      }
      svg_.rectangle(x(begin), y, x(io.end) - x(begin), high, "#0072b2");
    }
  }

  /// The share of each pixel during which some I/O was going on.
  void draw_strips() {
    auto columns = static_cast<size_t>(plot_width);
    size_t partitions = workload_.machine.io_nodes.size();
    std::vector<double> busy(columns * partitions);
    for (const IoInterval& io : log_) {
      double from = (x(io.end - io.length) - plot_left);
      double to = (x(io.end) - plot_left);
      for (double at = from; at < to;) {
        auto column = std::min(static_cast<size_t>(std::max(at, 0.0)), columns - 1);
        double end = std::min(to, static_cast<double>(column) + 1);
        busy[io.partition * columns + column] += end - at;
        if (column + 1 == columns) break;
        at = end;
      }
    }
    for (size_t p = 0; p < partitions; ++p) {
      double y = top(p) + block_ + 2;
      svg_.rectangle(plot_left, top(p), plot_width, block_, "none", "#bbbbbb");
      svg_.text(plot_left - 6, top(p) + block_ / 2, fmt::format("partition {}", p), Svg::Anchor::end, 10);
      svg_.text(plot_left - 6, y + strip - 3, fmt::format("I/O node {}", p), Svg::Anchor::end, 10);
      draw_strip(&busy[p * columns], columns, y);
    }
  }

  void draw_strip(const double* busy, size_t columns, double y) {
    auto level = [&](size_t column) { return std::lround(std::min(busy[column], 1.0) * 8); };
    for (size_t from = 0; from < columns;) {  // equal neighbors become one rectangle
      size_t to = from;
      while (to < columns && level(to) == level(from)) ++to;
      int gray = static_cast<int>(245 - 25 * level(from));
      svg_.rectangle(plot_left + static_cast<double>(from), y, static_cast<double>(to - from), strip - 4,
                     fmt::format("#{0:02x}{0:02x}{0:02x}", gray));
      from = to;
    }
  }

  const Workload& workload_;
  const Outcome& outcome_;
  const std::vector<IoInterval>& log_;
  Time span_;
  double block_ = 0;  ///< height of a partition
  double scale_ = 0;  ///< pixels per node
  std::vector<std::vector<Piece>> pieces_;
  Svg svg_;
};

}  // namespace

std::string gantt_svg(const Workload& workload, const Outcome& outcome, const std::vector<IoInterval>& log) {
  std::string title =
      fmt::format("{}, {}", outcome.setup.discipline.policy->name, mapping_text(outcome.setup.mapping));
  GanttPicture picture = gantt_picture(workload, outcome, log, title);
  return picture.svg.document(picture.width, picture.height);
}

GanttPicture gantt_picture(const Workload& workload, const Outcome& outcome,
                           const std::vector<IoInterval>& log, const std::string& title, Time span) {
  return Drawing(workload, outcome, log, span).draw(title);
}

}  // namespace refrain::schedule
