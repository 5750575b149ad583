// Which target gets what of a group's requests: bytes, requests, separate extents, ends that aren't at a
// block's boundary. Requests at equal distances are counted per period of the striping, not one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/machine.hpp"
#include "simulate/spread.hpp"

namespace refrain::simulate {

/// Where a file's stripes are: stripe s is on target (first + s % count) % targets.
struct Layout {
  uint64_t size = uint64_t{1} << 20;
  uint32_t count = 1;
  uint32_t first = 0;
};

/// What one target gets.
struct TargetLoad {
  uint64_t bytes = 0;
  uint64_t requests = 0;
  uint64_t extents = 0;    ///< pieces that don't touch each other: seeks, but for the first if it continues
  uint64_t unaligned = 0;  ///< ends of requests
  bool operator==(const TargetLoad&) const = default;
};

/// Loads of all targets. Reused from request to request: clear() costs what was touched.
class TargetLoads {
 public:
  TargetLoads(uint32_t targets, uint64_t block) : loads_(targets), block_(block) {}

  /// Requests of ranks into one file that all of them share.
  void add_shared(const Layout& layout, const Spread& offsets, const Spread& sizes);
  /// Requests of ranks into files of their own; the first rank's file is laid out as given, each further one
  /// begins one target later.
  void add_own(const Layout& layout, const Spread& offsets, const Spread& sizes);
  /// `count` requests of `size` bytes at `first`, `first + step`, …
  void add(const Layout& layout, int64_t first, int64_t step, uint64_t count, uint64_t size);

  const TargetLoad& of(uint32_t target) const { return loads_[target]; }
  const std::vector<uint32_t>& touched() const { return touched_; }
  void clear();

 private:
  TargetLoad& load(uint32_t target);
  void one(const Layout& layout, uint64_t begin, uint64_t size, uint64_t times, bool separate);

  std::vector<TargetLoad> loads_;
  std::vector<uint32_t> touched_;
  uint64_t block_;
};

/// How many extents of a load begin where the last request to the file ended, so that they are no seeks:
/// none, the first, or in files that ranks have each for itself all.
enum class Continued : uint8_t { none, first, all };

/// What a target has to know of a transfer besides its load.
struct Access {
  bool writes = false;
  bool shared = false;  ///< the file is open in several ranks, more than one of which may move data
  Continued continued = Continued::none;
};

/// How long a target is busy with a load, alone.
double service_seconds(const TargetLoad& load, const Target& target, const Access& access);

}  // namespace refrain::simulate
