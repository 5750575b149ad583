// See slurm_state.hpp. The text is as long as the queue; it is read element by element, and what a job or
// node is asked for is the only thing that is kept of it.
#include "coordinate/slurm_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

namespace refrain::coordinate {

namespace {

using Json = nlohmann::json;

constexpr size_t most_elements = 1'000'000;
constexpr size_t longest_string = 65'536;

std::string string_of(const Json& object, const char* field) {
  auto found = object.find(field);
  if (found == object.end() || !found->is_string()) return {};
  const auto& text = found->get_ref<const std::string&>();
  return text.size() <= longest_string ? text : std::string();
}

/// A number that isn't negative, in either form; nothing if it is missing, not set, or infinite.
std::optional<uint64_t> number_of(const Json& object, const char* field) {
  auto found = object.find(field);
  if (found == object.end()) return std::nullopt;
  const Json* value = &*found;
  if (value->is_object()) {
    auto number = value->find("number");
    auto is = [value](const char* flag) {
      auto at = value->find(flag);
      return at != value->end() && at->is_boolean() && at->get<bool>();
    };
    if (number == value->end() || !is("set") || is("infinite")) return std::nullopt;
    value = &*number;
  }
  if (value->is_number_unsigned()) return value->get<uint64_t>();
  if (!value->is_number_float()) return std::nullopt;
  auto real = value->get<double>();
  if (!(real >= 0 && real < 1e18)) return std::nullopt;
  return static_cast<uint64_t>(real);
}

int64_t time_of(const Json& object, const char* field) {
  constexpr uint64_t latest = uint64_t{1} << 33U;  // the year 2242; Slurm's way to say never is beyond
  uint64_t read = number_of(object, field).value_or(0);
  return read < latest ? static_cast<int64_t>(read) : 0;
}

/// "mixed", ["IDLE", "DRAIN"], ["COMPLETED", "COMPLETING"]: the words in capitals.
std::vector<std::string> words_of(const Json& object, const char* field) {
  std::vector<std::string> words;
  auto found = object.find(field);
  if (found == object.end()) return words;
  auto add = [&words](const Json& word) {
    if (!word.is_string() || words.size() == 64) return;
    std::string text = word.get<std::string>().substr(0, 64);
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    words.push_back(std::move(text));
  };
  if (!found->is_array()) add(*found);
  if (found->is_array()) std::for_each(found->begin(), found->end(), add);
  return words;
}

bool has_any(const std::vector<std::string>& words, std::span<const char* const> wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

SlurmJobState state_of(const std::vector<std::string>& words) {
  constexpr std::array holding{"RUNNING",   "COMPLETING", "CONFIGURING", "SUSPENDED",
                               "SIGNALING", "STAGE_OUT",  "STOPPED",     "RESIZING"};
  constexpr std::array waiting{"PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED"};
  if (has_any(words, holding)) return SlurmJobState::running;
  return has_any(words, waiting) ? SlurmJobState::pending : SlurmJobState::over;
}

/// The jobs that "afterok:12:13(unfulfilled),after:14+5" names, and whether it is enough that they start.
struct Dependency {
  int64_t on = 0;
  bool until_start = false;
};
std::vector<Dependency> dependencies_in(std::string_view text) {
  std::vector<Dependency> found;
  while (!text.empty() && found.size() < 10'000) {
    size_t end = std::min(text.find_first_of(",?"), text.size());
    std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    bool until_start = one.starts_with("after:");
    for (size_t colon = one.find(':'); colon != std::string_view::npos; colon = one.find(':', colon + 1)) {
      int64_t id = 0;
      auto [ignored, error] = std::from_chars(one.data() + colon + 1, one.data() + one.size(), id);
      if (error == std::errc()) found.push_back({id, until_start});
    }
  }
  return found;
}

/// Reasons that don't go away when nodes become free.
bool keeps_back(std::string_view reason) {
  constexpr std::array beginnings{
      "Account", "Assoc",   "BadConstraints", "BeginTime", "DeadLine",           "Dependency",
      "Invalid", "JobHeld", "Licenses",       "MaxJob",    "PartitionNodeLimit", "PartitionTimeLimit",
      "QOS",     "ReqNode", "Reservation"};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [reason](const char* beginning) { return reason.starts_with(beginning); });
}

std::optional<SlurmJob> job_of(const Json& json) {
  constexpr uint64_t most_nodes = uint64_t{1} << 30U;
  std::optional<uint64_t> id = number_of(json, "job_id");
  if (!id || *id == 0 || *id > uint64_t{INT32_MAX}) return std::nullopt;
  SlurmJob job{.id = static_cast<int64_t>(*id), .state = state_of(words_of(json, "job_state"))};
  if (job.state == SlurmJobState::over) return std::nullopt;
  job.name = string_of(json, "name");
  job.held_by_user = job.state == SlurmJobState::pending &&
                     string_of(json, "state_reason") == "JobHeldUser" &&
                     string_of(json, "state_description").empty();
  job.kept_back = job.state == SlurmJobState::pending && keeps_back(string_of(json, "state_reason"));
  job.ordinary = string_of(json, "array_task_string").empty() &&
                 number_of(json, "array_job_id").value_or(0) == 0 &&
                 number_of(json, "het_job_id").value_or(0) == 0;
  job.nodes = static_cast<uint32_t>(std::min(number_of(json, "node_count").value_or(0), most_nodes));
  job.node_list = string_of(json, "nodes");
  job.partition = string_of(json, "partition");
  job.eligible = time_of(json, "eligible_time");
  if (job.state == SlurmJobState::running) {
    job.start = time_of(json, "start_time");
    job.latest_end = time_of(json, "end_time");
  }
  job.comment = string_of(json, "comment");
  job.admin_comment = string_of(json, "admin_comment");
  return job;
}

NodeUse use_of(const std::vector<std::string>& words) {
  constexpr std::array unusable{"DOWN",
                                "DRAIN",
                                "DRAINED",
                                "DRAINING",
                                "ERROR",
                                "FAIL",
                                "FAILING",
                                "FUTURE",
                                "INVALID",
                                "INVALID_REG",
                                "MAINT",
                                "MAINTENANCE",
                                "NOT_RESPONDING",
                                "POWERING_DOWN",
                                "REBOOT",
                                "REBOOT_ISSUED",
                                "REBOOT_REQUESTED",
                                "RESERVED",
                                "UNKNOWN",
                                "PERFCTRS",
                                "POWER_DOWN"};
  if (words.empty() || has_any(words, unusable)) return NodeUse::unusable;
  constexpr std::array completing{"COMPLETING"};
  constexpr std::array idle{"IDLE"};
  return has_any(words, idle) && !has_any(words, completing) ? NodeUse::idle : NodeUse::busy;
}

/// Collects what is said of each node; the entries of later versions name it once for each partition.
class NodeList {
 public:
  void add(const std::string& name, const std::vector<std::string>& partitions, NodeUse use) {
    if (name.empty() || nodes_.size() >= most_elements) return;
    auto [at, is_new] = nodes_.try_emplace(name, SlurmNode{.name = name, .use = use});
    SlurmNode& node = at->second;
    node.use = std::max(node.use, use);
    for (const std::string& partition : partitions) {
      bool known = std::count(node.partitions.begin(), node.partitions.end(), partition) > 0;
      if (!known && node.partitions.size() < 1000) node.partitions.push_back(partition);
    }
  }

  /// 22.05: {"name", "state", "state_flags", "partitions"}
  void add_node(const Json& json) {
    std::vector<std::string> words = words_of(json, "state");
    for (std::string& flag : words_of(json, "state_flags")) words.push_back(std::move(flag));
    std::vector<std::string> partitions;
    auto found = json.find("partitions");
    if (found != json.end() && found->is_array()) {
      for (const Json& name : *found) {
        if (name.is_string() && partitions.size() < 1000) partitions.push_back(name.get<std::string>());
      }
    }
    add(string_of(json, "name"), partitions, use_of(words));
  }

  /// Since 23.02: {"node": {"state"}, "nodes": {"nodes": [names]}, "partition": {"name"}}
  void add_entry(const Json& json) {
    auto object = [&json](const char* field) {
      auto found = json.find(field);
      return found != json.end() && found->is_object() ? *found : Json::object();
    };
    const Json names = object("nodes").value("nodes", Json::array());
    NodeUse use = use_of(words_of(object("node"), "state"));
    std::string partition = string_of(object("partition"), "name");
    if (!names.is_array()) return;
    for (const Json& name : names) {
      if (name.is_string()) add(name.get<std::string>(), {partition}, use);
    }
  }

  std::vector<SlurmNode> take() {
    std::vector<SlurmNode> nodes;
    for (auto& [name, node] : nodes_) nodes.push_back(std::move(node));
    return nodes;
  }

 private:
  std::map<std::string, SlurmNode> nodes_;
};

/// What Slurm says went wrong. Without its controller it prints an empty list and this, and ends well.
std::string error_of(const Json& json) {
  std::string text = string_of(json, "description");
  if (text.empty()) text = string_of(json, "error");
  std::string source = string_of(json, "source");
  if (text.empty()) text = "error";
  return source.empty() ? text : text + " (" + source + ")";
}

/// Hands out the objects in the lists of the outermost object; they are forgotten afterwards. An error if it
/// is not JSON, if there is none of the lists in `wanted`, or if Slurm reports one.
Result<void> each_element(std::string_view text, std::span<const char* const> wanted,
                          const std::function<void(const std::string& list, const Json& element)>& take) {
  std::vector<std::string> lists;
  std::string key;
  std::string error;
  Json::parser_callback_t see = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key) key = parsed.get<std::string>();
    if (depth == 1 && event == Json::parse_event_t::array_start && lists.size() < 64) lists.push_back(key);
    if (depth != 2 || event != Json::parse_event_t::object_end) return true;
    if (lists.empty() || lists.back() != key) return false;
    if (key == "errors" && error.empty()) error = error_of(parsed);
    take(key, parsed);
    return false;
  };
  Json document = Json::parse(text, see, false);
  if (document.is_discarded() || !document.is_object() || !has_any(lists, wanted))
    return fail(ErrorKind::bad_input, std::string("did not print a list of ") + wanted.front());
  if (!error.empty()) return fail(ErrorKind::io, error);
  return {};
}

}  // namespace

Result<std::vector<SlurmJob>> read_jobs(std::string_view squeue_json) {
  std::vector<SlurmJob> jobs;
  std::map<int64_t, std::vector<Dependency>> dependencies;
  constexpr std::array wanted{"jobs"};
  Result<void> done = each_element(squeue_json, wanted, [&](const std::string& list, const Json& element) {
    if (list != "jobs" || jobs.size() >= most_elements) return;
    std::optional<SlurmJob> job = job_of(element);
    if (!job) return;
    std::string dependency = string_of(element, "dependency");
    job->has_dependency = !dependency.empty();
    if (job->has_dependency) dependencies[job->id] = dependencies_in(dependency);
    jobs.push_back(std::move(*job));
  });
  if (!done) return within("squeue", done.error());
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const SlurmJob& a, const SlurmJob& b) { return a.id < b.id; });
  auto same = std::unique(jobs.begin(), jobs.end(),
                          [](const SlurmJob& a, const SlurmJob& b) { return a.id == b.id; });
  jobs.erase(same, jobs.end());
  std::map<int64_t, SlurmJobState> states;
  for (const SlurmJob& job : jobs) states[job.id] = job.state;
  for (SlurmJob& job : jobs) {
    if (!job.has_dependency) continue;
    const std::vector<Dependency>& all = dependencies[job.id];
    job.depends = std::any_of(all.begin(), all.end(), [&states](const Dependency& one) {
      auto other = states.find(one.on);
      return other != states.end() && (other->second == SlurmJobState::pending || !one.until_start);
    });
  }
  return jobs;
}

Result<std::vector<SlurmNode>> read_nodes(std::string_view sinfo_json) {
  NodeList nodes;
  constexpr std::array wanted{"nodes", "sinfo"};
  Result<void> done = each_element(sinfo_json, wanted, [&](const std::string& list, const Json& element) {
    if (list == "nodes") nodes.add_node(element);
    if (list == "sinfo") nodes.add_entry(element);
  });
  if (!done) return within("sinfo", done.error());
  return nodes.take();
}

std::optional<int64_t> controller_start(std::string_view config) {
  size_t line = config.find("BOOT_TIME");
  size_t value = line == std::string_view::npos ? line : config.find_first_not_of(" =", line + 9);
  if (value == std::string_view::npos) return std::nullopt;
  std::string text(config.substr(value, config.find_first_of(" \n", value) - value));
  std::tm parts{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  parts.tm_isdst = -1;  // whatever it is then
  return mktime(&parts);
}

}  // namespace refrain::coordinate
