// See journal.hpp.
#include "coordinate/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "coordinate/event.hpp"

namespace refrain::coordinate {

namespace {

using JournalJson = nlohmann::json;
using schedule::IoInterval;

constexpr uint32_t most_io_nodes = 100'000;

/// What the events say of a job so far.
struct Traced {
  Event first{};
  Time start = 0;
  Time end = 0;
  Time waited = 0;
  Time asked = 0;
  Time granted = 0;
  uint64_t lease = 0;  ///< that it has, or 0
  std::vector<IoInterval> ios{};
};

class Reader {
 public:
  Result<void> line(std::string_view text) {
    if (text.find("\"event\": \"start\"") != std::string_view::npos) return machine(text);
    Result<Event> event = parse_event(text);
    if (!event) return tl::unexpected(event.error());
    if (event->at < 0 || event->age < 0 || event->age > event->at || event->nodes > max_nodes ||
        event->job.io_node >= most_io_nodes) {
      return fail(ErrorKind::bad_input, "a number is out of bounds");
    }
    take(*event);
    return {};
  }

  Result<Happened> result() {
    if (policy_ == nullptr) return fail(ErrorKind::bad_input, "it doesn't begin with a line of the start");
    if (jobs_.empty()) return fail(ErrorKind::bad_input, "there are no jobs in it");
    Happened happened;
    Time origin = schedule::never;
    for (const auto& [key, job] : jobs_) origin = std::min(origin, job.start);
    happened.workload.machine.io_nodes = io_nodes_;
    happened.outcome.setup.discipline.policy = policy_;
    happened.is_shared = is_shared_;
    for (auto& [key, job] : jobs_) add(happened, key, job, origin);
    measure(happened.outcome);
    return happened;
  }

  static void measure(schedule::Outcome& outcome) {
    double sum = 0;
    for (size_t i = 0; i < outcome.placements.size(); ++i) {
      outcome.makespan = std::max(outcome.makespan, outcome.placements[i].end);
      outcome.max_stretch = std::max(outcome.max_stretch, outcome.stretches[i]);
      sum += outcome.stretches[i];
    }
    outcome.mean_stretch = sum / static_cast<double>(outcome.stretches.size());
  }

 private:
  Result<void> machine(std::string_view text) {
    JournalJson json = JournalJson::parse(text, nullptr, false);
    try {
      Result<const schedule::Policy*> policy = schedule::find_policy(json.at("policy").get<std::string>());
      if (!policy) return tl::unexpected(policy.error());
      policy_ = *policy;
      size_t number = 0;
      for (const JournalJson& node : json.at("io_nodes")) {
        if (++number > most_io_nodes) return fail(ErrorKind::limit, "there are too many I/O nodes");
        if (io_nodes_.size() < number) io_nodes_.push_back({0, node.at("bandwidth").get<double>()});
        is_shared_ = is_shared_ || node.at("at_once").get<uint64_t>() > 1;
      }
    } catch (const JournalJson::exception&) {
      return fail(ErrorKind::bad_input, "the line of the start lacks policy or I/O nodes");
    }
    return {};
  }

  void take(const Event& event) {
    while (io_nodes_.size() <= event.job.io_node) io_nodes_.push_back({});
    auto [found, is_new] = jobs_.try_emplace(event.job);
    Traced& job = found->second;
    if (is_new) {
      job.first = event;
      job.start = event.at - event.age;
    }
    job.end = std::max(job.end, event.at);
    switch (event.kind) {
      case EventKind::ask:
        job.asked = event.at;
        break;
      case EventKind::honor:
        if (job.lease == event.lease && job.lease != 0) break;  // the coordinator was away meanwhile
        job.asked = event.at;
        [[fallthrough]];
      case EventKind::grant:
        job.granted = event.at;
        job.lease = event.lease;
        job.waited += std::max<Time>(0, event.at - job.asked);
        break;
      case EventKind::end:
      case EventKind::expire:
        if (std::exchange(job.lease, 0) == 0) break;
        job.ios.push_back({.partition = event.job.io_node,
                           .requested = std::min(job.asked, job.granted),
                           .end = event.at,
                           .length = std::max<Time>(0, event.at - job.granted)});
        break;
      default:
        break;
    }
  }

  static void add(Happened& happened, const JobKey& key, Traced& job, Time origin) {
    auto number = static_cast<uint32_t>(happened.workload.jobs.size());
    happened.workload.jobs.push_back({.id = key.job,
                                      .name = job.first.name,
                                      .nodes = std::max<uint32_t>(1, job.first.nodes),
                                      .release = job.start - origin});
    happened.outcome.placements.push_back({key.io_node, job.start - origin, job.end - origin});
    double length = schedule::in_seconds(job.end - job.start);
    double alone = length - schedule::in_seconds(job.waited);
    happened.outcome.stretches.push_back(alone > 0 ? length / alone : 1);
    for (IoInterval& io : job.ios) {
      io.job = number;
      io.requested = std::max<Time>(0, io.requested - origin);
      io.end -= origin;
      happened.log.push_back(io);
    }
  }

  const schedule::Policy* policy_ = nullptr;
  bool is_shared_ = false;
  std::vector<schedule::IoNode> io_nodes_;
  std::map<JobKey, Traced> jobs_;
};

/// As high as the most nodes in use at once, so that jobs fill the picture.
void fit_partitions(Happened& happened) {
  std::vector<std::map<Time, int64_t>> changes(happened.workload.machine.io_nodes.size());
  for (size_t i = 0; i < happened.workload.jobs.size(); ++i) {
    const schedule::Placement& placement = happened.outcome.placements[i];
    changes[placement.partition][placement.start] += happened.workload.jobs[i].nodes;
    changes[placement.partition][placement.end] -= happened.workload.jobs[i].nodes;
  }
  for (size_t p = 0; p < changes.size(); ++p) {
    int64_t used = 0;
    int64_t most = 1;
    for (auto [time, change] : changes[p]) most = std::max(most, used += change);
    happened.workload.machine.io_nodes[p].nodes = static_cast<uint32_t>(std::min<int64_t>(most, UINT32_MAX));
  }
}

/// Starts every job when it is released, where it is said to.
class PlacedJobs : public schedule::Mapper {
 public:
  explicit PlacedJobs(const std::vector<schedule::Placement>& places)
      : places_(places), started_(places.size()) {}
  void start_jobs(Time now, schedule::Floor& floor) override {
    for (uint32_t job = 0; job < places_.size(); ++job) {
      if (started_[job] || floor.workload().jobs[job].release > now) continue;
      floor.start(job, places_[job].partition, now);
      started_[job] = true;
    }
  }

 private:
  const std::vector<schedule::Placement>& places_;
  std::vector<bool> started_;
};

}  // namespace

Result<Happened> parse_journal(std::string_view text) {
  Reader reader;
  for (size_t number = 1; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    bool is_whole = end < text.size();
    Result<void> read = end == 0 ? Result<void>{} : reader.line(text.substr(0, end));
    if (!read && is_whole) return within(fmt::format("line {}", number), read.error());
    text.remove_prefix(is_whole ? end + 1 : end);
  }
  Result<Happened> happened = reader.result();
  if (happened) fit_partitions(*happened);
  return happened;
}

Result<Happened> read_journal(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::io, std::strerror(errno), path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return fail(ErrorKind::io, "can't be read", path);
  Result<Happened> happened = parse_journal(text);
  if (!happened) return within(path, happened.error());
  return happened;
}

Result<Happened> simulate_same(const Happened& happened, const schedule::Workload& jobs) {
  Happened simulated;
  schedule::Machine& machine = simulated.workload.machine;
  machine = jobs.machine;
  const std::vector<schedule::Placement>& places = happened.outcome.placements;
  for (size_t i = 0; i < places.size(); ++i) {
    const schedule::Job& ran = happened.workload.jobs[i];
    auto found =
        std::find_if(jobs.jobs.begin(), jobs.jobs.end(), [&](const auto& job) { return job.id == ran.id; });
    if (found == jobs.jobs.end())
      return fail(ErrorKind::bad_input, fmt::format("there is no job {}", ran.id));
    if (places[i].partition >= machine.io_nodes.size()) {
      return fail(ErrorKind::bad_input, fmt::format("there is no I/O node {}", places[i].partition));
    }
    simulated.workload.jobs.push_back(*found);
    simulated.workload.jobs.back().nodes = ran.nodes;
    simulated.workload.jobs.back().release = ran.release;
  }
  int64_t nodes = 0;
  for (const schedule::Job& job : simulated.workload.jobs) nodes += job.nodes;
  if (nodes > max_nodes) return fail(ErrorKind::limit, "the jobs have too many nodes");
  for (schedule::IoNode& io_node : machine.io_nodes) io_node.nodes = static_cast<uint32_t>(nodes);
  PlacedJobs mapper(places);
  schedule::Discipline discipline = happened.outcome.setup.discipline;
  if (happened.is_shared) discipline.sharing = schedule::Sharing::shared;
  simulated.outcome.setup.discipline = discipline;
  simulated.is_shared = happened.is_shared;
  simulated.outcome.placements = run(simulated.workload, discipline, mapper, &simulated.log, 5'000'000);
  for (size_t i = 0; i < places.size(); ++i) {
    const schedule::Placement& placement = simulated.outcome.placements[i];
    double alone = schedule::in_seconds(
        simulated.workload.jobs[i].alone(machine.io_nodes[placement.partition].bandwidth));
    double length = schedule::in_seconds(placement.end - placement.start);
    simulated.outcome.stretches.push_back(alone > 0 ? length / alone : 1);
  }
  Reader::measure(simulated.outcome);
  fit_partitions(simulated);
  return simulated;
}

}  // namespace refrain::coordinate
