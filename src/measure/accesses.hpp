// How files were accessed: sizes, and whether accesses followed each other, with the definitions of Darshan,
// so that its users find their counters again. Per file and thread, and apart for reading and writing:
//   sequential   an access that begins behind the last byte of the one before
//   consecutive  one that begins right behind it
// "The one before" the first ended with byte 0, as there. Positions follow from the calls as far as they tell
// them, which those of posix and stdio do; in other layers only sizes are counted. Regular loops are counted
// without being run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::measure {

/// Numbers of accesses.
struct AccessTotals {
  /// Sizes up to and including 100, 1 Ki, 10 Ki, 100 Ki, 1 Mi, 4 Mi, 10 Mi, 100 Mi, 1 Gi bytes; the rest.
  static constexpr size_t size_classes = 10;

  uint64_t accesses = 0;
  uint64_t sequential = 0;
  uint64_t consecutive = 0;
  std::array<uint64_t, size_classes> sizes{};

  void add(const AccessTotals& other, uint64_t times = 1);
  void subtract(const AccessTotals& other) { add(other, ~uint64_t{0}); }
  bool operator==(const AccessTotals&) const = default;
};

/// "0-100", "100-1K", …, "1G+".
const std::array<std::string, AccessTotals::size_classes>& size_class_names();
size_t size_class(uint64_t bytes);

struct LayerAccesses {
  std::string layer{};
  AccessTotals reads{};
  AccessTotals writes{};
  bool operator==(const LayerAccesses&) const = default;
};

struct Accesses {
  std::vector<LayerAccesses> outer{};   ///< what the programs themselves called, by layer
  std::vector<LayerAccesses> layers{};  ///< layers that saw inner calls: all their calls, outer and inner
  bool complete = true;                 ///< false: a trace was too long, or values are missing from it
};

struct AccessOptions {
  uint64_t walked_events = 200'000'000;  ///< at most so many are run one by one, of all ranks together
  uint64_t ranks = uint64_t{1} << 20;    ///< at most so many are counted one by one
  bool closed_forms = true;
};

Accesses count_accesses(const trace::Trace& trace, const AccessOptions& options = {});

}  // namespace refrain::measure
