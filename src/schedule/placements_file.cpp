// See placements_file.hpp.
#include "schedule/placements_file.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "schedule/job_stream.hpp"

namespace refrain::schedule {

namespace {

std::optional<double> number_of(const Json& json, const char* field, double most) {
  auto found = json.find(field);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  auto value = found->get<double>();
  return value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<Placement> placement_of(const Json& json, size_t partitions) {
  std::optional<double> partition = number_of(json, "partition", static_cast<double>(partitions) - 1);
  std::optional<double> start = number_of(json, "start", in_seconds(longest_time));
  std::optional<double> end = number_of(json, "end", in_seconds(longest_time));
  if (!partition || !start || !end || *partition != std::floor(*partition) || *end < *start)
    return std::nullopt;
  return Placement{static_cast<uint32_t>(*partition), from_seconds(*start), from_seconds(*end)};
}

}  // namespace

Result<std::vector<Placement>> parse_placements(std::string_view text, const Workload& workload) {
  std::map<int64_t, Placement> found;
  Result<void> all_good;
  Result<Json> json = read_json(text, "jobs", [&](size_t place, const Json& element) {
    auto id = element.is_object() ? element.find("id") : element.end();
    bool has_id = element.is_object() && id != element.end() && id->is_number_integer();
    std::optional<Placement> placement;
    if (has_id) placement = placement_of(element, workload.machine.io_nodes.size());
    if (placement) found[id->get<int64_t>()] = *placement;
    if (!placement && all_good)
      all_good = fail(ErrorKind::bad_input, "must have id, partition, start and end of a job",
                      fmt::format("jobs[{}]", place));
  });
  if (!json) return tl::unexpected(json.error());
  if (!all_good) return tl::unexpected(all_good.error());
  std::vector<Placement> placements;
  for (const Job& job : workload.jobs) {
    auto at = found.find(job.id);
    if (at == found.end()) return fail(ErrorKind::bad_input, fmt::format("job {} is missing", job.id));
    placements.push_back(at->second);
  }
  return placements;
}

Result<std::vector<Placement>> read_placements(const std::string& path, const Workload& workload) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::io, std::strerror(errno), path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  Result<std::vector<Placement>> placements = parse_placements(text, workload);
  if (!placements) return within(path, placements.error());
  return placements;
}

}  // namespace refrain::schedule
