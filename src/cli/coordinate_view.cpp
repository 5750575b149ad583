// What `refrain coordinate status` and `watch` have in common: how they connect and how a status looks.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/coordinate.hpp"
#include "cli/readable.hpp"
#include "coordinate/keys.hpp"

namespace refrain::cli {

namespace {

using StatusJson = nlohmann::json;

constexpr int answer_within_ms = 3000;

std::string seconds_of(const StatusJson& seconds) { return fmt::format("{:.1f} s", seconds.get<double>()); }

/// Bytes per second of an I/O node since an earlier status.
std::string rate_text(const StatusJson& status, const StatusJson& before, size_t io_node) {
  if (!before.is_object() || before.at("io_nodes").size() <= io_node) return "";
  double seconds = (status.at("at_ns").get<double>() - before.at("at_ns").get<double>()) / 1e9;
  auto now = status.at("io_nodes")[io_node].at("bytes").get<uint64_t>();
  auto then = before.at("io_nodes")[io_node].at("bytes").get<uint64_t>();
  if (!(seconds > 0) || now < then) return "";
  return bytes_text(static_cast<uint64_t>(static_cast<double>(now - then) / seconds)) + "/s";
}

std::string head_text(const StatusJson& status) {
  const StatusJson& counters = status.at("counters");
  auto count = [&counters](const char* name) { return counters.at(name).get<uint64_t>(); };
  std::string text = fmt::format(
      "{}, {}, policy {}; {}, {} expired", counted(status.at("job_count"), "job", "jobs"),
      counted(status.at("clients"), "client", "clients"), printable(status.at("policy").get<std::string>()),
      counted(count("grants") + count("honored"), "lease", "leases"), grouped(count("expired")));
  for (const char* trouble : {"malformed", "turned_away", "refused", "unsent", "journal_lost"}) {
    if (count(trouble) > 0) text += fmt::format(", {} {}", grouped(count(trouble)), trouble);
  }
  return text + "\n\n";
}

std::string io_nodes_text(const StatusJson& status, const StatusJson& before) {
  Table table;
  table.row({"I/O node", "holds", "waiting", "leases", "busy", "bytes", "bandwidth"});
  const StatusJson& io_nodes = status.at("io_nodes");
  for (size_t i = 0; i < io_nodes.size(); ++i) {
    const StatusJson& node = io_nodes[i];
    std::string holders;
    for (const StatusJson& job : node.at("holders")) {
      holders += (holders.empty() ? "" : ",") + std::to_string(job.get<uint64_t>());
    }
    table.row({std::to_string(i), holders.empty() ? "-" : holders, grouped(node.at("waiting")),
               grouped(node.at("grants")), seconds_of(node.at("busy")), bytes_text(node.at("bytes")),
               rate_text(status, before, i)});
  }
  return table.text("");
}

std::string jobs_text(const StatusJson& status) {
  const StatusJson& jobs = status.at("jobs");
  if (jobs.empty()) return "";
  Table table;
  table.row({"job", "name", "I/O node", "nodes", "state", "for", "phase", "I/O", "waited", "bytes"});
  for (const StatusJson& job : jobs) {
    auto state = job.at("state").get<std::string>();
    std::string since = state == "waiting"   ? seconds_of(job.at("waits"))
                        : state == "holding" ? seconds_of(job.at("holds"))
                                             : "";
    table.row({std::to_string(job.at("job").get<uint64_t>()), printable(job.at("name").get<std::string>()),
               std::to_string(job.at("io_node").get<uint64_t>()), grouped(job.at("nodes")), printable(state),
               since, grouped(job.at("phase")), seconds_of(job.at("io")), seconds_of(job.at("waited")),
               bytes_text(job.at("bytes"))});
  }
  std::string text = "\n" + table.text("");
  auto all = status.at("job_count").get<uint64_t>();
  if (all > jobs.size()) text += fmt::format("and {} more\n", grouped(all - jobs.size()));
  return text;
}

}  // namespace

Result<coordinate::Subscriber> subscribe(const ConnectionOptions& options, bool events) {
  Result<coordinate::Address> address = coordinate::parse_address(options.address);
  if (!address) return tl::unexpected(address.error());
  std::optional<coordinate::Keys> keys;
  if (!options.insecure) {
    std::string path = options.keys.empty() ? coordinate::default_key_folder() : options.keys;
    if (std::filesystem::is_directory(path) || options.keys.empty()) path = coordinate::client_key_file(path);
    Result<coordinate::Keys> read = coordinate::read_keys(path, true);
    if (!read) return tl::unexpected(read.error());
    keys = *read;
  }
  return coordinate::Subscriber::connect(*address, keys, events);
}

Result<std::string> first_status(coordinate::Subscriber& subscriber, const ConnectionOptions& options) {
  while (std::optional<coordinate::Told> told = subscriber.next(answer_within_ms)) {
    if (told->topic == "status") return told->json;
  }
  return fail(ErrorKind::io, "no coordinator answers; does it run there, and does it know our key?",
              options.address);
}

Result<std::string> status_text(const std::string& json, const std::string& before) {
  try {
    StatusJson status = StatusJson::parse(json);
    StatusJson earlier = before.empty() ? StatusJson() : StatusJson::parse(before);
    return head_text(status) + io_nodes_text(status, earlier) + jobs_text(status);
  } catch (const StatusJson::exception&) {
    return fail(ErrorKind::bad_input,
                "the coordinator says something that we don't understand; is it of another version?");
  }
}

}  // namespace refrain::cli
