// Who recorded a part: gathered in the process, read back by the part reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "trace/trace.hpp"

namespace refrain::record {

/// The host's name without characters that a file name can't have; valid for the process's life.
const char* host_name();

/// True if this process has a library whose path ends so.
bool has_library(std::string_view path_end);

/// True if this process only starts the ranks of parallel jobs: what it does is not the application's I/O.
bool starts_ranks();

struct ProcessKey {
  uint32_t lane;
  uint64_t start_ns;
};
std::vector<uint8_t> process_info(const ProcessKey& key);

struct PartOwner {
  trace::Process process;  ///< without streams, ending and losses
  std::string host;
  uint32_t lane = 0;
  uint32_t nprocs = 0;
};
PartOwner read_process_info(ByteReader& in);
/// What is not a rank (negative, or more than a trace can hold) leaves the process without one.
void set_rank(PartOwner& owner, int64_t rank, int64_t size);

}  // namespace refrain::record
