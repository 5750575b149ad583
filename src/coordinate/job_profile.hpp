// What a job is about to do, in a line that travels with it: `refrain submit` puts it into the job's comment,
// where Slurm keeps it and shows it, and `refrain dispatch` reads it there.
//
//   refrain/1 nodes=4 ranks=64 bandwidth=2.1e9 phases=589x32.4+27500000;10+0,3.5+1024
//
// Phases are compute seconds + volume; "," continues a block, ";" begins the next, "N x" repeats one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "schedule/model.hpp"

namespace refrain::coordinate {

/// As long as Slurm lets a comment be; one more and it refuses the job.
inline constexpr size_t longest_comment = 1024;

struct JobProfile {
  schedule::Job job{};     ///< nodes and phases; volumes in bytes, or in seconds at bandwidth 1
  uint64_t ranks = 0;      ///< 0: not known
  double bandwidth = 0;    ///< measured by whoever made it, volume per second; 0: not known
  bool shortened = false;  ///< only the sums of its phases, their number and their means are right
  bool operator==(const JobProfile&) const = default;
};

/// At most `most` characters, which must be 200 at least. Phases that don't fit are replaced by equal ones
/// with the same sums, first within each block, then altogether.
std::string profile_text(JobProfile profile, size_t most = longest_comment);

/// The profile at the beginning of a comment. Nothing if there is none; one that is damaged, or longer than
/// any job takes (see `longest_job`), is none.
std::optional<JobProfile> read_profile(std::string_view comment);

/// A job takes at most a year.
inline constexpr schedule::Time longest_job = 366 * 24 * 3600 * schedule::second;

/// T and V as a line of JSON has them, for people and programs: {"nodes": 4, "compute": 12.5, ...}
std::string profile_json(const JobProfile& profile);

}  // namespace refrain::coordinate
