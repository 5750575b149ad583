// The table of policies. See policy.hpp.
#include "schedule/policy.hpp"

#include <array>

namespace refrain::schedule {

namespace {

constexpr std::array<Policy, 8> policy_table = {{
    {"lowest-id", "the lowest id first", lowest_id},
    {"longest-io", "the longest pending I/O first", longest_io},
    {"shortest-io", "the shortest pending I/O first", shortest_io},
    {"shortest-remaining", "the job with the least work left first", shortest_remaining},
    {"longest-remaining", "the job with the most work left first", longest_remaining},
    {"fifo", "in the order of the requests", fifo},
    {"bandwidth", "the job that had the least I/O time for its age first", bandwidth, true},
    {"stretch", "the job with the worst stretch so far first", stretch, true},
}};

}  // namespace

std::span<const Policy> policies() { return policy_table; }

Result<const Policy*> find_policy(std::string_view name) {
  std::string names;
  for (const Policy& policy : policy_table) {
    if (policy.name == name) return &policy;
    names += (names.empty() ? "" : ", ") + std::string(policy.name);
  }
  return fail(ErrorKind::usage, "no policy is named '" + std::string(name) + "'; there are " + names);
}

}  // namespace refrain::schedule
