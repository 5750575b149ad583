// See progress.hpp.
#include "cli/progress_line.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <utility>

namespace refrain::cli {

namespace {
constexpr std::chrono::milliseconds patience{500};
constexpr std::chrono::milliseconds interval{100};
}  // namespace

Progress::Progress(std::string what)
    : what_(std::move(what)),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + patience) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::show(size_t done, size_t total) {
  if (!terminal_ || std::chrono::steady_clock::now() < next_) return;
  next_ = std::chrono::steady_clock::now() + interval;
  shown_ = true;
  fmt::print(stderr, "\rrefrain: {} {} of {}\x1b[K", what_, done, total);
}

}  // namespace refrain::cli
