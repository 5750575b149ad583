// `refrain coordinate watch`: the same, live; or every event as a line.
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/clock.hpp"
#include "cli/coordinate.hpp"

namespace refrain::cli {

namespace {

constexpr const char* clear_screen = "\x1b[H\x1b[2J";
constexpr const char* more_follows = "...";
constexpr uint64_t wake_every_ms = 1000;
constexpr uint64_t silence_ms = 5000;

struct WatchOptions {
  ConnectionOptions connection;
  bool json = false;
  double seconds = 0;
};

/// As many lines as the terminal has room for.
std::string on_screen(const std::string& text) {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 2) return text;
  size_t end = 0;
  for (int row = 0; row + 2 < size.ws_row && end < text.size(); ++row)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return end < text.size() ? text.substr(0, end) + more_follows : text;
}

class Watch {
 public:
  Watch(const WatchOptions& options, Output& out) : options_(options), out_(out) {}

  Result<int> run() {
    Result<coordinate::Subscriber> subscriber = subscribe(options_.connection, options_.json);
    if (!subscriber) return tl::unexpected(subscriber.error());
    Result<std::string> status = first_status(*subscriber, options_.connection);
    if (!status) return tl::unexpected(status.error());
    if (Result<void> shown = show({"status", *status}); !shown) return tl::unexpected(shown.error());
    heard_ms_ = monotonic_ms();
    uint64_t end_ms =
        options_.seconds > 0 ? heard_ms_ + static_cast<uint64_t>(options_.seconds * 1000) : UINT64_MAX;
    while (monotonic_ms() < end_ms) {
      uint64_t left = std::min(wake_every_ms, end_ms - monotonic_ms());
      std::optional<coordinate::Told> told = subscriber->next(static_cast<int>(left));
      if (!told) {
        miss();
        continue;
      }
      heard_ms_ = monotonic_ms();
      is_missed_ = false;
      if (Result<void> shown = show(*told); !shown) return tl::unexpected(shown.error());
    }
    return 0;
  }

 private:
  Result<void> show(const coordinate::Told& told) {
    if (options_.json) {
      out_.line(told.json);
    } else if (told.topic == "status") {
      Result<std::string> text = status_text(told.json, before_);
      if (!text) return tl::unexpected(text.error());
      out_.line(isatty(STDOUT_FILENO) != 0 ? clear_screen + on_screen(*text) : *text);
      before_ = told.json;
    }
    out_.flush();
    return {};
  }

  /// It comes back by itself when the coordinator does.
  void miss() {
    if (is_missed_ || monotonic_ms() - heard_ms_ < silence_ms) return;
    is_missed_ = true;
    say(options_.connection.address + ": silent for 5 s; waiting for it");
  }

  const WatchOptions& options_;
  Output& out_;
  std::string before_;
  uint64_t heard_ms_ = 0;
  bool is_missed_ = false;
};

}  // namespace

void add_coordinate_watch(CLI::App& group, Action& action) {
  CLI::App* command = add_command(group, "watch", "Watch jobs, leases, queues and bandwidth of a coordinator",
                                  "refrain coordinate watch --coordinator tcp://io0:5570\n"
                                  "  refrain coordinate watch --json | grep '\"event\": \"grant\"'");
  auto options = std::make_shared<WatchOptions>();
  add_connection_options(*command, options->connection);
  command->add_flag("--json", options->json, "Every event and, each second, the status, as lines of JSON");
  command->add_option("--seconds", options->seconds, "End after so many seconds")
      ->check(CLI::Range(0.01, 1e9));
  command->callback(
      [&action, options] { action = [options](Output& out) { return Watch(*options, out).run(); }; });
}

}  // namespace refrain::cli
