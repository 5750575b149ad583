// See file_calls.hpp.
#include "advise/file_calls.hpp"

#include <algorithm>
#include <filesystem>

#include "measure/file_usage.hpp"

namespace refrain::advise {

std::optional<uint64_t> FileCalls::on(const std::string& path, const std::string& directory) {
  if (!counted_) {
    measure::Usage usage =
        measure::measure_usage(trace_, {.walked_events = 5'000'000, .nodes = uint64_t{1} << 22, .walks = 0});
    complete_ = usage.steps_complete;
    for (const measure::FileUsage& file : usage.files) {
      uint64_t most = file.outer.calls;
      for (const measure::LayerFigures& layer : file.layers) most = std::max(most, layer.figures.calls);
      calls_[file.path] = most;
    }
    counted_ = true;
  }
  if (!complete_) return {};
  std::filesystem::path plain = std::filesystem::path(path).lexically_normal();
  if (auto found = calls_.find(plain.string()); found != calls_.end()) return found->second;
  auto found = calls_.find(plain.lexically_relative(directory).string());
  return found == calls_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace refrain::advise
