// See dispatch.hpp. Without packs (`easy`) a decision needs nothing but what runs and what waits. Packs are
// made once for all jobs that wait, and written into them: how they were placed depends on jobs that have
// ended since, of which Slurm knows nothing any more. They are made anew, as far as they have not begun, when
// a job came that belongs to none. That does not tear packs apart for nothing: Make-Pack gives the jobs that
// are left the same packs when whole packs are taken away, as a job chooses among packs one by one.
//
// A pack begins when all jobs of the one before have ended on its partition. Should a dispatcher die while it
// releases the jobs of one, some of them run and the others are still held: the next one lets them follow.
#include "coordinate/dispatch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/check.hpp"
#include "coordinate/machine_view.hpp"

namespace refrain::coordinate {

namespace {

std::string mapping_tag(const schedule::Mapping& mapping) {
  std::string name(schedule::name_of(mapping.kind));
  if (mapping.kind == schedule::MappingKind::first_fit) return name;
  return mapping.by_load ? name + "/alpha" : fmt::format("{}/{}", name, mapping.sensibility);
}

class Decider {
 public:
  Decider(const SlurmState& state, const DispatchOptions& options, schedule::Time now)
      : options_(options), tag_(mapping_tag(options.mapping)), now_(now), view_(state, options, now) {
    for (const ViewedJob& job : view_.jobs()) notes_.push_back(job.note);
  }

  Decision run() {
    decision_.left_out = view_.left_out();
    decision_.others = view_.others();
    for (const ViewedJob& job : view_.jobs()) ++(job.partition ? decision_.running : decision_.waiting);
    schedule::Floor floor = view_.floor();
    if (options_.mapping.kind == schedule::MappingKind::easy) {
      start(*schedule::make_plan(view_.workload(), options_.mapping).mapper, floor);
    } else {
      follow_begun_packs(floor);
      if (!has_packs()) make_packs(floor);
      start_packs(floor);
    }
    note_starts(floor);
    return std::move(decision_);
  }

 private:
  using PackKey = std::pair<uint32_t, uint64_t>;  ///< partition and number

  bool is_waiting(uint32_t job) const { return !view_.jobs()[job].partition && !followed_.contains(job); }
  uint32_t job_count() const { return static_cast<uint32_t>(view_.jobs().size()); }
  uint32_t nodes_of(uint32_t job) const { return view_.workload().jobs[job].nodes; }

  std::optional<PackKey> pack_of(uint32_t job) const {
    const DispatchNote& note = notes_[job];
    auto name = std::find(options_.partitions.begin(), options_.partitions.end(), note.partition);
    if (note.pack == 0 || note.mapping != tag_ || name == options_.partitions.end()) return std::nullopt;
    return PackKey{static_cast<uint32_t>(name - options_.partitions.begin()), note.pack};
  }

  void start(schedule::Mapper& mapper, schedule::Floor& floor) {
    mapper.take_over(floor);
    mapper.start_jobs(now_, floor);
  }

  /// Jobs whose pack runs already start as soon as there are nodes for them.
  void follow_begun_packs(schedule::Floor& floor) {
    std::set<PackKey> begun;
    for (uint32_t job = 0; job < job_count(); ++job) {
      if (is_waiting(job)) continue;
      last_number_ = std::max(last_number_, notes_[job].pack);
      if (std::optional<PackKey> pack = pack_of(job); pack && pack->first == view_.jobs()[job].partition)
        begun.insert(*pack);
    }
    for (uint32_t job = 0; job < job_count(); ++job) {
      std::optional<PackKey> pack = pack_of(job);
      if (!is_waiting(job) || !pack || !begun.contains(*pack)) continue;
      followed_.insert(job);
      if (nodes_of(job) <= floor.free_nodes(pack->first)) floor.start(job, pack->first, now_);
    }
  }

  /// Every job that waits belongs to a pack that its partition can hold.
  bool has_packs() const {
    std::map<PackKey, uint64_t> nodes;
    for (uint32_t job = 0; job < job_count(); ++job) {
      if (!is_waiting(job)) continue;
      std::optional<PackKey> pack = pack_of(job);
      if (!pack) return false;
      nodes[*pack] += nodes_of(job);
    }
    return std::all_of(nodes.begin(), nodes.end(), [this](const auto& pack) {
      return pack.second <= view_.workload().machine.io_nodes[pack.first.first].nodes;
    });
  }

  /// Plans all that waits, behind what runs.
  void make_packs(const schedule::Floor& floor) {
    schedule::Workload waiting{.machine = view_.workload().machine};
    std::vector<uint32_t> job_of;
    for (uint32_t job = 0; job < job_count(); ++job) {
      if (!is_waiting(job)) continue;
      waiting.jobs.push_back(view_.workload().jobs[job]);
      job_of.push_back(job);
    }
    std::vector<schedule::Time> free_at;
    for (uint32_t p = 0; p < floor.partitions(); ++p)
      free_at.push_back(std::max(now_, floor.last_expected_end(p)));
    schedule::Costs costs(waiting);
    double sensibility = schedule::sensibility_of(waiting, options_.mapping);
    std::vector<schedule::Pack> packs = schedule::make_packs(waiting, costs, sensibility);
    auto order = schedule::place_packs(waiting, costs, packs, free_at);
    for (uint32_t p = 0; p < order.size(); ++p) {
      for (size_t pack : order[p]) {
        for (uint32_t job : packs[pack].jobs) write_down(job_of[job], p, last_number_ + 1 + pack);
      }
    }
    decision_.packs = packs.size();
  }

  void write_down(uint32_t job, uint32_t partition, uint64_t pack) {
    DispatchNote note{.pack = pack, .partition = options_.partitions[partition], .mapping = tag_};
    if (notes_[job] != note) decision_.planned.push_back({view_.jobs()[job].slurm->id, note});
    notes_[job] = std::move(note);
  }

  void start_packs(schedule::Floor& floor) {
    std::map<PackKey, schedule::Pack> packs;
    for (uint32_t job = 0; job < job_count(); ++job) {
      if (!is_waiting(job)) continue;
      schedule::Pack& pack = packs[*pack_of(job)];
      const schedule::Cost& cost = floor.costs().best(job);
      pack.jobs.push_back(job);
      pack.nodes += nodes_of(job);
      pack.length = std::max(pack.length, cost.alone);
      pack.io += cost.io;
    }
    std::vector<schedule::Pack> list;
    std::vector<std::vector<size_t>> order(floor.partitions());
    for (auto& [key, pack] : packs) {  // in ascending order of their numbers
      order[key.first].push_back(list.size());
      list.push_back(std::move(pack));
    }
    start(*schedule::mapper_of_packs(view_.workload(), options_.mapping, std::move(list), std::move(order)),
          floor);
  }

  void note_starts(schedule::Floor& floor) {
    std::vector<schedule::Floor::Start> started = floor.take_started();
    std::map<uint64_t, size_t> left;  // by number of the pack
    for (uint32_t job = 0; job < job_count(); ++job) {
      if (!view_.jobs()[job].partition) ++left[notes_[job].pack];
    }
    for (const schedule::Floor::Start& start : started) --left[notes_[start.job].pack];
    for (const schedule::Floor::Start& start : started) {
      DispatchNote note = notes_[start.job];
      // A job that goes ahead of its pack does not begin it.
      if (pack_of(start.job) != PackKey{start.partition, note.pack} || left[note.pack] > 0) note.pack = 0;
      note.partition = options_.partitions[start.partition];
      note.mapping = tag_;
      note.io_node = start.partition;
      note.coordinator = options_.coordinator;
      decision_.starts.push_back({view_.jobs()[start.job].slurm->id, std::move(note)});
    }
  }

  const DispatchOptions& options_;
  std::string tag_;
  schedule::Time now_;
  MachineView view_;
  std::vector<DispatchNote> notes_;  ///< by job, with those of this decision
  std::set<uint32_t> followed_;      ///< jobs that belong to a pack which runs already
  uint64_t last_number_ = 0;         ///< of the packs that have begun
  Decision decision_;
};

}  // namespace

Decision decide(const SlurmState& state, const DispatchOptions& options, schedule::Time now) {
  REFRAIN_CHECK(options.mapping.kind != schedule::MappingKind::portfolio);
  return Decider(state, options, now).run();
}

schedule::Workload waiting_jobs(const SlurmState& state, const DispatchOptions& options, schedule::Time now) {
  MachineView view(state, options, now);
  schedule::Workload workload{.machine = view.workload().machine};
  for (uint32_t job = 0; job < view.jobs().size(); ++job) {
    if (!view.jobs()[job].partition) workload.jobs.push_back(view.workload().jobs[job]);
  }
  return workload;
}

Result<std::vector<std::string>> disjoint_partitions(const SlurmState& state) {
  std::set<std::string> names;
  for (const SlurmNode& node : state.nodes) {
    if (node.partitions.size() > 1) {
      return fail(
          ErrorKind::usage,
          fmt::format("partitions {} and {} share nodes; say with --partitions which have an I/O node",
                      node.partitions[0], node.partitions[1]));
    }
    names.insert(node.partitions.begin(), node.partitions.end());
  }
  if (names.empty()) return fail(ErrorKind::usage, "Slurm has no partitions with nodes");
  return std::vector<std::string>(names.begin(), names.end());
}

Result<void> check_partitions(const SlurmState& state, const std::vector<std::string>& partitions) {
  std::set<std::string> missing(partitions.begin(), partitions.end());
  if (missing.size() != partitions.size()) return fail(ErrorKind::usage, "a partition is named twice");
  for (const SlurmNode& node : state.nodes) {
    std::vector<std::string> ours;
    for (const std::string& name : node.partitions) {
      missing.erase(name);
      if (std::find(partitions.begin(), partitions.end(), name) != partitions.end()) ours.push_back(name);
    }
    if (ours.size() > 1)
      return fail(ErrorKind::usage, fmt::format("partitions {} and {} share nodes", ours[0], ours[1]));
  }
  if (!missing.empty()) return fail(ErrorKind::usage, "Slurm has no partition '" + *missing.begin() + "'");
  return {};
}

}  // namespace refrain::coordinate
