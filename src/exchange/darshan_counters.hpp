// Counters of Darshan's POSIX, MPI-IO and STDIO modules for one file and rank, as far as a trace knows them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/call_walk.hpp"
#include "exchange/file_tracker.hpp"
#include "measure/accesses.hpp"

namespace refrain::exchange {

class DarshanRecord {
 public:
  /// `facts` of the call, `access` what it does.
  void add(const Call& call, const CallFacts& facts, const Access& access);
  /// Adds the record of another rank for the same file.
  void merge(const DarshanRecord& other);

  struct Counter {
    std::string name{};  ///< without the module's prefix
    std::string value{};
  };
  /// All counters of the module, in its order; -1, as Darshan has it, where a trace doesn't know.
  std::vector<Counter> counters(std::string_view module) const;

 private:
  enum class Manner : uint8_t { independent, collective, split, nonblocking };
  struct Direction {
    uint64_t bytes = 0;
    int64_t last = 0, max = 0;  ///< last byte of the access before; the highest of all
    measure::AccessTotals totals{};
    std::array<uint64_t, 4> manners{};
    uint64_t time_ns = 0;
    void merge(const Direction& other);
  };
  static Manner manner_of(const Call& call, const Access& access);
  void open(const Call& call);
  void transfer(const Call& call, const Access& access);

  Direction read_{}, written_{};
  uint64_t opens_ = 0, shared_opens_ = 0, seeks_ = 0, switches_ = 0, meta_ns_ = 0;
  uint64_t stats_ = 0, maps_ = 0, syncs_ = 0, data_syncs_ = 0, views_ = 0, flushes_ = 0;
  bool moved_ = false, wrote_last_ = false;
  std::map<uint64_t, uint64_t> sizes_{};  ///< of accesses: how often; the first ones met
};

/// The modules a trace's layers correspond to, in Darshan's order: layer and name of the module.
struct DarshanModule {
  std::string_view layer, name;
};
inline constexpr std::array darshan_modules{DarshanModule{"posix", "POSIX"}, DarshanModule{"mpiio", "MPI-IO"},
                                            DarshanModule{"stdio", "STDIO"}};

}  // namespace refrain::exchange
