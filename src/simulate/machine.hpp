// The machine that a simulation runs on, as its file describes it (docs/simulate.md has the schema): compute
// nodes, network, I/O nodes, storage servers with their targets, metadata server, striping. A bandwidth of 0
// means that this stage limits nobody.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace refrain::simulate {

/// What a storage target costs.
struct Target {
  double read_bandwidth = 0;          ///< bytes per second; positive
  double write_bandwidth = 0;         ///< likewise
  double shared_read_bandwidth = 0;   ///< of a file that several ranks have open; 0: as of others
  double shared_write_bandwidth = 0;  ///< likewise
  double operation_s = 0;             ///< per request
  double seek_s = 0;                  ///< per request that doesn't begin where the last one to the file ended
  double unaligned_s = 0;             ///< per end of a request that isn't at a block's boundary
  uint64_t block = 4096;              ///< bytes; every stripe size is a multiple of it
};

/// How files are striped whose path matches the pattern.
struct StripeRule {
  std::string pattern = "*";
  uint64_t size = uint64_t{1} << 20;  ///< bytes of a stripe
  uint32_t count = 1;                 ///< targets that a file is spread over; 0: all
};

struct MachineLimits {
  static constexpr uint32_t nodes = 1U << 24U;
  static constexpr uint32_t ranks_per_node = 1U << 16U;
  static constexpr uint32_t io_nodes = 1U << 16U;
  static constexpr uint32_t targets = 1U << 14U;
  static constexpr uint64_t stripe = uint64_t{1} << 40U;
  static constexpr size_t rules = 1000;
};

struct Machine {
  std::string name{};
  uint32_t nodes = 1;
  uint32_t ranks_per_node = 1;
  double node_bandwidth = 0;   ///< of a node's connection to the network
  double rank_bandwidth = 0;   ///< most that one rank moves alone
  double call_s = 0;           ///< time of a call that moves data, on top of the transfer
  uint64_t cache_bytes = 0;    ///< per node: writes that fit return at once, and reach the targets later
  double cache_bandwidth = 0;  ///< per node, of such writes
  double network_bandwidth = 0;
  double latency_s = 0;
  uint32_t io_nodes = 0;
  double io_node_bandwidth = 0;  ///< of each
  uint32_t servers = 1;
  double server_bandwidth = 0;  ///< of each
  uint32_t targets_per_server = 1;
  Target target{};
  double metadata_rate = 0;  ///< operations per second; 0: they take no time
  std::vector<StripeRule> striping{};

  uint32_t targets() const { return servers * targets_per_server; }
  uint64_t ranks() const { return uint64_t{nodes} * ranks_per_node; }
  /// The first rule whose pattern matches; one target per file if none does.
  StripeRule striping_of(const std::string& path) const;
  /// Compute nodes are divided among I/O nodes in blocks of this size.
  uint32_t nodes_per_io_node() const { return io_nodes == 0 ? nodes : (nodes + io_nodes - 1) / io_nodes; }
};

/// Any bytes: a machine within all bounds, or an error that names the field and what is wrong with it.
Result<Machine> parse_machine(std::string_view text);
Result<Machine> read_machine(const std::string& path);
/// Reading it back gives the same machine.
std::string machine_text(const Machine& machine);

}  // namespace refrain::simulate
