// One line that keeps its reader company while something long goes on; only on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace refrain::cli {

class Progress {
 public:
  /// `what` is what the line says: "refrain: WHAT 17 of 300".
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows the line now and then; silent during the first moments, so that short work stays quiet.
  void show(size_t done, size_t total);

 private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace refrain::cli
