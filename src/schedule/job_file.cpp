// See job_file.hpp. Text comes from people and other programs: every field is checked, and the first thing
// wrong is said in one line with its place.
#include "schedule/job_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "schedule/json_fields.hpp"

namespace refrain::schedule {

namespace {

/// The value for each I/O node: one for all, or a list with one for each.
const Json& for_io_node(const Json& value, const char* field, size_t i, size_t io_nodes) {
  if (!value.is_array()) return value;
  if (value.size() != io_nodes) {
    throw Wrong{field, fmt::format("has {} values for {} I/O nodes", value.size(), io_nodes)};
  }
  return value[i];
}

Machine read_machine(const Json& json) {
  if (!json.is_object()) throw Wrong{"machine", "must be an object"};
  know_fields(json, {"io_nodes", "nodes_per_io_node", "bandwidth"});
  uint64_t io_nodes = whole(need(json, "io_nodes"), "io_nodes", 1, FileLimits::io_nodes);
  const Json& nodes = need(json, "nodes_per_io_node");
  const Json bandwidth = json.value("bandwidth", Json(1.0));
  Machine machine;
  for (size_t i = 0; i < io_nodes; ++i) {
    IoNode io_node;
    io_node.nodes = static_cast<uint32_t>(whole(for_io_node(nodes, "nodes_per_io_node", i, io_nodes),
                                                "nodes_per_io_node", 1, FileLimits::nodes_per_io_node));
    io_node.bandwidth = number(for_io_node(bandwidth, "bandwidth", i, io_nodes), "bandwidth");
    if (!(io_node.bandwidth > 0)) throw Wrong{"bandwidth", "must be positive, is " + shown(bandwidth)};
    machine.io_nodes.push_back(io_node);
  }
  return machine;
}

Phase read_phase(const Json& json, const std::string& field) {
  if (!json.is_array() || json.size() != 2) throw Wrong{field, "must be [compute, io], is " + shown(json)};
  return {duration(json[0], field), not_negative(json[1], field)};
}

uint64_t repetitions(const Json& value, const std::string& field) {
  return whole(value, field, 0, uint64_t{1} << 53U);
}

/// A list of [compute, io] and of {"repeat": n, "phases": [[compute, io], ...]}.
void read_phases(const Json& json, Job& job) {
  if (!json.is_array()) throw Wrong{"phases", "must be a list, is " + shown(json)};
  std::vector<Phase> single;
  for (size_t i = 0; i < json.size(); ++i) {
    std::string field = fmt::format("phases[{}]", i);
    if (!json[i].is_object()) {
      single.push_back(read_phase(json[i], field));
      continue;
    }
    job.add_block(single, 1);
    single.clear();
    know_fields(json[i], {"repeat", "phases"});
    const Json& body = need(json[i], "phases");
    if (!body.is_array()) throw Wrong{field, "must hold a list of phases, holds " + shown(body)};
    std::vector<Phase> repeated;
    for (const Json& phase : body) repeated.push_back(read_phase(phase, field));
    job.add_block(repeated, repetitions(need(json[i], "repeat"), field + ".repeat"));
  }
  job.add_block(single, 1);
}

int64_t read_id(const Json& json) {
  const Json& id = need(json, "id");
  if (!id.is_number_integer()) throw Wrong{"id", "must be a whole number, is " + shown(id)};
  if (id.is_number_unsigned() && id.get<uint64_t>() > uint64_t{INT64_MAX}) throw Wrong{"id", "is too large"};
  return id.get<int64_t>();
}

Job read_job(const Json& json, int64_t id) {
  Job job{.id = id};
  know_fields(json, {"id", "name", "note", "nodes", "release", "iterations", "compute", "io", "phases"});
  job.name = read_string(json, "name");
  job.note = read_string(json, "note");
  job.nodes = static_cast<uint32_t>(whole(need(json, "nodes"), "nodes", 1, FileLimits::nodes_per_io_node));
  job.release = json.contains("release") ? duration(json["release"], "release") : 0;
  if (!json.contains("phases")) {
    Phase phase{duration(need(json, "compute"), "compute"), not_negative(need(json, "io"), "io")};
    job.add_block({phase}, json.contains("iterations") ? repetitions(json["iterations"], "iterations") : 1);
    return job;
  }
  for (const char* field : {"iterations", "compute", "io"}) {
    if (json.contains(field)) throw Wrong{field, "can't be given together with phases"};
  }
  read_phases(json["phases"], job);
  return job;
}

Result<Job> job_at(size_t place, const Json& json) {
  std::string where = fmt::format("jobs[{}]", place);
  try {
    if (!json.is_object()) return fail(ErrorKind::bad_input, "must be an object, is " + shown(json), where);
    int64_t id = read_id(json);
    where = fmt::format("job {}", id);
    return read_job(json, id);
  } catch (const Wrong& wrong) {
    return fail(ErrorKind::bad_input, wrong.reason, where + ", " + wrong.field);
  }
}

/// Seconds at the slowest I/O node, in floating point, as the sum may be beyond all integers.
double slowest(const Job& job, double bandwidth) {
  double sum = 0;
  for (const Block& block : job.blocks) {
    double once = 0;
    for (uint32_t i = 0; i < block.count; ++i) {
      const Phase& phase = job.phases[block.first + i];
      once += in_seconds(phase.compute) + phase.volume / bandwidth;
    }
    sum += once * static_cast<double>(block.repeat);
  }
  return sum;
}

Result<void> check_job(const Job& job, uint32_t largest_partition) {
  if (job.nodes > largest_partition) {
    return fail(ErrorKind::bad_input,
                fmt::format("{} are more than the {} of the largest partition", job.nodes, largest_partition),
                fmt::format("job {}, nodes", job.id));
  }
  if (job.phase_count() > FileLimits::phases_per_job) {
    bool periodic = job.blocks.size() == 1 && job.blocks[0].count == 1;
    return fail(ErrorKind::limit,
                fmt::format("{} phases are more than the {} that can be simulated", job.phase_count(),
                            FileLimits::phases_per_job),
                fmt::format("job {}, {}", job.id, periodic ? "iterations" : "phases"));
  }
  return {};
}

Json phase_json(const Phase& phase) { return Json::array({in_seconds(phase.compute), phase.volume}); }

Json job_json(const Job& job) {
  Json json{{"id", job.id}};
  if (!job.name.empty()) json["name"] = job.name;
  if (!job.note.empty()) json["note"] = job.note;
  json["nodes"] = job.nodes;
  if (job.release != 0) json["release"] = in_seconds(job.release);
  if (job.blocks.size() == 1 && job.blocks[0].count == 1) {
    json["iterations"] = job.blocks[0].repeat;
    json["compute"] = in_seconds(job.phases[0].compute);
    json["io"] = job.phases[0].volume;
    return json;
  }
  Json phases = Json::array();
  for (const Block& block : job.blocks) {
    Json body = Json::array();
    for (uint32_t i = 0; i < block.count; ++i) body.push_back(phase_json(job.phases[block.first + i]));
    if (block.repeat == 1) {
      phases.insert(phases.end(), body.begin(), body.end());
    } else {
      phases.push_back({{"repeat", block.repeat}, {"phases", body}});
    }
  }
  json["phases"] = phases;
  return json;
}

/// One value where all I/O nodes agree, else a list.
template <class Field>
Json by_io_node(const Machine& machine, Field field) {
  Json list = Json::array();
  for (const IoNode& io_node : machine.io_nodes) list.push_back(io_node.*field);
  bool same = std::all_of(list.begin(), list.end(), [&](const Json& value) { return value == list[0]; });
  return same && !list.empty() ? list[0] : list;
}

}  // namespace

Result<void> check_workload(Workload& workload) {
  auto by_id = [](const Job& a, const Job& b) { return a.id < b.id; };
  if (!std::is_sorted(workload.jobs.begin(), workload.jobs.end(), by_id)) {
    std::stable_sort(workload.jobs.begin(), workload.jobs.end(), by_id);
  }
  double bandwidth = workload.machine.best_bandwidth();
  for (const IoNode& io_node : workload.machine.io_nodes) bandwidth = std::min(bandwidth, io_node.bandwidth);
  uint32_t largest_partition = workload.machine.largest_partition();
  double total = 0;
  for (size_t i = 0; i < workload.jobs.size(); ++i) {
    const Job& job = workload.jobs[i];
    if (i > 0 && workload.jobs[i - 1].id == job.id) {
      return fail(ErrorKind::bad_input, "two jobs have it", fmt::format("job {}, id", job.id));
    }
    if (Result<void> checked = check_job(job, largest_partition); !checked) return checked;
    total += slowest(job, bandwidth) + in_seconds(job.release);
    if (!(total <= in_seconds(longest_time))) {
      return fail(ErrorKind::limit, "with it the workload takes longer than can be simulated (18 years)",
                  fmt::format("job {}, phases", job.id));
    }
  }
  return {};
}

Result<Workload> parse_workload(std::string_view text) {
  Workload workload;
  Result<void> jobs_read;  // the first job that is wrong
  size_t count = 0;
  Result<Json> json = read_json(text, "jobs", [&](size_t place, const Json& element) {
    count = place + 1;
    if (!jobs_read || count > FileLimits::jobs) return;
    Result<Job> job = job_at(place, element);
    if (job) {
      workload.jobs.push_back(std::move(*job));
    } else {
      jobs_read = tl::unexpected(job.error());
    }
  });
  if (!json) return tl::unexpected(json.error());
  try {
    if (!json->is_object()) return fail(ErrorKind::bad_input, "must be an object with machine and jobs");
    know_fields(*json, {"machine", "jobs"});
    workload.machine = read_machine(need(*json, "machine"));
    if (!need(*json, "jobs").is_array()) throw Wrong{"jobs", "must be a list"};
  } catch (const Wrong& wrong) {
    return fail(ErrorKind::bad_input, wrong.reason, wrong.field);
  }
  if (count > FileLimits::jobs) {
    return fail(ErrorKind::limit, fmt::format("{} are more than the {} allowed", count, FileLimits::jobs),
                "jobs");
  }
  if (!jobs_read) return tl::unexpected(jobs_read.error());
  if (Result<void> checked = check_workload(workload); !checked) return tl::unexpected(checked.error());
  return workload;
}

Result<Workload> read_workload(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::io, std::strerror(errno), path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return fail(ErrorKind::io, "can't be read", path);
  Result<Workload> workload = parse_workload(text);
  if (!workload) return within(path, workload.error());
  return workload;
}

std::string workload_text(const Workload& workload) {
  Json machine{{"io_nodes", workload.machine.io_nodes.size()},
               {"nodes_per_io_node", by_io_node(workload.machine, &IoNode::nodes)},
               {"bandwidth", by_io_node(workload.machine, &IoNode::bandwidth)}};
  std::string text = "{\"machine\": " + machine.dump() + ",\n \"jobs\": [";
  for (size_t i = 0; i < workload.jobs.size(); ++i) {
    text += i == 0 ? "\n  " : ",\n  ";
    text += job_json(workload.jobs[i]).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "]}\n";
}

}  // namespace refrain::schedule
