// What Slurm says of its jobs and nodes, as `squeue --json` and `sinfo -N --json` print it. The forms
// of 22.05 and of later versions are read alike: numbers may be plain or objects {"set", "infinite",
// "number"}, states one word or a list of them, nodes a list of their own or entries per node and partition.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace refrain::coordinate {

enum class SlurmJobState : uint8_t {
  pending,
  running,  ///< holds its nodes: also starting, suspended, completing
  over,
};

struct SlurmJob {
  int64_t id = 0;
  std::string name{};
  SlurmJobState state = SlurmJobState::over;
  bool held_by_user = false;  ///< as `sbatch --hold` leaves it; not by an operator or after a failed start
  bool ordinary = true;       ///< no array, no part of a heterogeneous job
  bool kept_back = false;  ///< waits, but not for its turn and nodes: its own limits or wishes are in the way
  bool has_dependency = false;  ///< not met yet, or not looked at: Slurm does not look while a job is held
  bool depends = false;         ///< on jobs that wait or run
  uint32_t nodes = 0;           ///< how many
  std::string node_list{};      ///< which, of one that runs: "n[1-3,7]"
  std::string partition{};      ///< of one that waits, perhaps several
  int64_t eligible = 0;         ///< seconds since 1970, as all times here; 0 if Slurm doesn't say
  int64_t start = 0;
  int64_t latest_end = 0;  ///< by its time limit; 0: none
  std::string comment{};
  std::string admin_comment{};
};

enum class NodeUse : uint8_t {
  idle,
  busy,
  unusable,  ///< down, drained, reserved, being restarted
};

struct SlurmNode {
  std::string name{};
  std::vector<std::string> partitions{};
  NodeUse use = NodeUse::unusable;
};

struct SlurmState {
  std::vector<SlurmJob> jobs{};    ///< by id
  std::vector<SlurmNode> nodes{};  ///< by name
};

/// Reads and checks. Jobs and nodes without the fields that matter, and jobs that are over, are left out.
Result<std::vector<SlurmJob>> read_jobs(std::string_view squeue_json);
Result<std::vector<SlurmNode>> read_nodes(std::string_view sinfo_json);

/// When the controller was started, in seconds since the epoch, by `scontrol show config`, which has it in
/// local time; nothing if it isn't told.
std::optional<int64_t> controller_start(std::string_view config);

/// The names in "n[1-3,07-10],login" in the order given. An error if it isn't such a list, or names more than
/// `most`.
Result<std::vector<std::string>> node_names(std::string_view list, size_t most = 1'000'000);

}  // namespace refrain::coordinate
