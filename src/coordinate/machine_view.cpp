// See machine_view.hpp. squeue and sinfo look at the machine one after the other, so they may disagree: a
// node is free only if both say so.
#include "coordinate/machine_view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace refrain::coordinate {

namespace {

schedule::Time in_ns(int64_t seconds) { return seconds * schedule::second; }

double median_bandwidth(const std::vector<ViewedJob>& jobs) {
  std::vector<double> known;
  for (const ViewedJob& job : jobs) {
    if (job.profile.bandwidth > 0) known.push_back(job.profile.bandwidth);
  }
  if (known.empty()) return 1;
  auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
  std::nth_element(known.begin(), middle, known.end());
  return *middle;
}

}  // namespace

MachineView::MachineView(const SlurmState& state, const DispatchOptions& options, schedule::Time now)
    : options_(options), now_(now), use_(options.partitions.size()) {
  count_nodes(state);
  for (const SlurmJob& job : state.jobs) {
    std::optional<JobProfile> profile = read_profile(job.comment);
    if (job.state == SlurmJobState::running) {
      add_running(job, std::move(profile));
    } else if (profile) {
      add_waiting(job, std::move(*profile));
    }
  }
  make_machine();
  leave_out_impossible();
  make_workload();
}

void MachineView::count_nodes(const SlurmState& state) {
  for (const SlurmNode& node : state.nodes) {
    if (node.use == NodeUse::unusable) continue;
    for (uint32_t p = 0; p < use_.size(); ++p) {
      const std::vector<std::string>& names = node.partitions;
      if (std::find(names.begin(), names.end(), options_.partitions[p]) == names.end()) continue;
      ++(node.use == NodeUse::idle ? use_[p].idle : use_[p].busy);
      partition_of_[node.name] = p;
      break;
    }
  }
}

/// A job whose nodes are all behind one I/O node and that has a profile is one of ours, however it came
/// there; any other takes nodes and some bandwidth wherever it runs.
void MachineView::add_running(const SlurmJob& job, std::optional<JobProfile> profile) {
  Result<std::vector<std::string>> names = node_names(job.node_list);
  if (!names) return;
  std::map<uint32_t, uint32_t> nodes;  // by partition
  size_t elsewhere = 0;
  for (const std::string& name : *names) {
    auto at = partition_of_.find(name);
    if (at == partition_of_.end()) {
      ++elsewhere;
      continue;
    }
    nodes.try_emplace(at->second, 0);
    if (claimed_.insert(name).second) ++nodes[at->second];
  }
  for (const auto& [p, count] : nodes) use_[p].taken += count;
  if (profile && nodes.size() == 1 && elsewhere == 0) {
    profile->job.nodes = nodes.begin()->second;
    jobs_.push_back({&job, std::move(*profile), read_note(job.admin_comment).value_or(DispatchNote{}),
                     nodes.begin()->first, job.start > 0 ? in_ns(job.start) : now_});
    return;
  }
  if (!nodes.empty()) ++others_;
  schedule::Time until = job.latest_end > 0 ? in_ns(job.latest_end) : now_ + longest_job;
  for (const auto& [p, count] : nodes) occupants_.push_back({p, count, options_.load_of_others, until});
}

void MachineView::add_waiting(const SlurmJob& job, JobProfile profile) {
  if (job.nodes > 0) profile.job.nodes = job.nodes;
  std::optional<DispatchNote> note = read_note(job.admin_comment);
  if (job.depends || in_ns(job.eligible) > now_) return;
  if (!job.held_by_user) {
    // Released by us, and Slurm is about to start it.
    auto name = std::find(options_.partitions.begin(), options_.partitions.end(), job.partition);
    if (job.kept_back || job.has_dependency || !note || !note->io_node || name == options_.partitions.end())
      return;
    auto p = static_cast<uint32_t>(name - options_.partitions.begin());
    use_[p].awaited += profile.job.nodes;
    jobs_.push_back({&job, std::move(profile), std::move(*note), p, now_});
    return;
  }
  if (!job.ordinary) {
    left_out_.push_back({job.id, "is part of an array or of a heterogeneous job"});
    return;
  }
  jobs_.push_back({&job, std::move(profile), note.value_or(DispatchNote{}), std::nullopt, 0});
}

/// As many nodes as are usable, or as are in use, should Slurm have given away more since.
void MachineView::make_machine() {
  double median = median_bandwidth(jobs_);
  for (uint32_t p = 0; p < use_.size(); ++p) {
    const Use& use = use_[p];
    if (use.busy > use.taken) occupants_.push_back({p, use.busy - use.taken, 0, now_});
    uint32_t in_use = std::max(use.busy, use.taken) + use.awaited;
    double bandwidth = options_.bandwidth.empty()       ? median
                       : options_.bandwidth.size() == 1 ? options_.bandwidth[0]
                                                        : options_.bandwidth[p];
    workload_.machine.io_nodes.push_back({std::max(use.idle + use.busy, in_use), bandwidth});
  }
}

void MachineView::leave_out_impossible() {
  double slowest = workload_.machine.best_bandwidth();
  for (const schedule::IoNode& io_node : workload_.machine.io_nodes)
    slowest = std::min(slowest, io_node.bandwidth);
  uint32_t largest = workload_.machine.largest_partition();
  auto seconds = [slowest](const ViewedJob& job) {
    return schedule::in_seconds(job.profile.job.compute_time()) + job.profile.job.volume() / slowest;
  };
  // All that is planned has to end at a time that can be written down: short jobs go first.
  std::vector<std::pair<double, int64_t>> by_length;
  for (const ViewedJob& job : jobs_) by_length.emplace_back(seconds(job), job.slurm->id);
  std::sort(by_length.begin(), by_length.end());
  std::set<int64_t> too_long;
  double total = 0;
  for (const auto& [length, id] : by_length) {
    bool fits = length <= schedule::in_seconds(longest_job) &&
                total + length <= 60 * schedule::in_seconds(longest_job);
    if (fits) total += length;
    if (!fits) too_long.insert(id);
  }
  std::erase_if(jobs_, [&](const ViewedJob& job) {
    if (job.partition) {
      if (too_long.contains(job.slurm->id)) {
        occupants_.push_back(
            {*job.partition, job.profile.job.nodes, options_.load_of_others, now_ + longest_job});
        return true;
      }
      return false;
    }
    if (job.profile.job.nodes > largest) {
      left_out_.push_back(
          {job.slurm->id, fmt::format("needs {} nodes; the largest partition has {} that work",
                                      job.profile.job.nodes, largest)});
      return true;
    }
    if (!too_long.contains(job.slurm->id)) return false;
    left_out_.push_back({job.slurm->id, "takes too long to be planned, by its profile"});
    return true;
  });
}

void MachineView::make_workload() {
  std::stable_sort(jobs_.begin(), jobs_.end(),
                   [](const ViewedJob& a, const ViewedJob& b) { return a.slurm->id < b.slurm->id; });
  for (ViewedJob& job : jobs_) {
    schedule::Job& planned = workload_.jobs.emplace_back(job.profile.job);
    planned.id = job.slurm->id;
  }
}

schedule::Floor MachineView::floor() const {
  schedule::Floor floor(workload_);
  for (const Occupant& occupant : occupants_) {
    auto load = static_cast<schedule::Load>(occupant.load * static_cast<double>(schedule::full_load));
    floor.occupy(occupant.partition, occupant.nodes, load, occupant.until);
  }
  for (uint32_t job = 0; job < jobs_.size(); ++job) {
    if (jobs_[job].partition) floor.resume(job, *jobs_[job].partition, jobs_[job].started);
  }
  return floor;
}

}  // namespace refrain::coordinate
