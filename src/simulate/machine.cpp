// See machine.hpp. Text comes from people: every field is checked, and the first thing wrong is said in one
// line with its place.
#include "simulate/machine.hpp"

#include <fmt/core.h>
#include <fnmatch.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "schedule/json_fields.hpp"

namespace refrain::simulate {

namespace {

using schedule::Json;
using schedule::Wrong;

constexpr size_t most_bytes = size_t{1} << 24U;

/// An object of the file; errors in it name its fields as "servers.bandwidth".
class Section {
 public:
  Section(const Json& parent, const char* name, std::initializer_list<const char*> known)
      : name_(name), json_(parent.contains(name) ? parent[name] : Json::object()) {
    if (!json_.is_object()) throw Wrong{name, "must be an object, is " + schedule::shown(json_)};
    try {
      schedule::know_fields(json_, known);
    } catch (const Wrong& wrong) {
      throw Wrong{field(wrong.field), wrong.reason};
    }
  }

  double number(const char* name, double otherwise = 0) const {
    return json_.contains(name) ? schedule::not_negative(json_[name], field(name)) : otherwise;
  }
  double positive(const char* name) const {
    if (!json_.contains(name)) throw Wrong{field(name), "is missing"};
    double read = number(name);
    if (!(read > 0)) throw Wrong{field(name), "must be positive, is " + schedule::shown(json_[name])};
    return read;
  }
  /// 0 if it is missing; no more than `most`, which `other` names.
  double at_most(const char* name, double most, const char* other) const {
    double read = number(name);
    if (read > most) {
      throw Wrong{field(name), fmt::format("must not be more than {}, which is {}, is {}", other, most,
                                           schedule::shown(json_[name]))};
    }
    return read;
  }
  uint64_t whole(const char* name, uint64_t low, uint64_t high, uint64_t otherwise) const {
    return json_.contains(name) ? schedule::whole(json_[name], field(name), low, high) : otherwise;
  }

 private:
  std::string field(const std::string& name) const { return name_ + "." + name; }
  std::string name_;
  Json json_;
};

void read_nodes(const Json& json, Machine& machine) {
  machine.nodes =
      static_cast<uint32_t>(schedule::whole(schedule::need(json, "nodes"), "nodes", 1, MachineLimits::nodes));
  if (json.contains("ranks_per_node")) {
    machine.ranks_per_node = static_cast<uint32_t>(
        schedule::whole(json["ranks_per_node"], "ranks_per_node", 1, MachineLimits::ranks_per_node));
  }
  Section node(json, "node", {"bandwidth", "rank_bandwidth", "call", "cache", "cache_bandwidth"});
  machine.node_bandwidth = node.number("bandwidth");
  machine.rank_bandwidth = node.number("rank_bandwidth");
  machine.call_s = node.number("call");
  machine.cache_bytes = node.whole("cache", 0, uint64_t{1} << 50U, 0);
  if (machine.cache_bytes > 0) machine.cache_bandwidth = node.positive("cache_bandwidth");
  Section network(json, "network", {"bandwidth", "latency"});
  machine.network_bandwidth = network.number("bandwidth");
  machine.latency_s = network.number("latency");
  Section io_nodes(json, "io_nodes", {"count", "bandwidth"});
  machine.io_nodes = static_cast<uint32_t>(io_nodes.whole("count", 0, MachineLimits::io_nodes, 0));
  if (machine.io_nodes > 0) machine.io_node_bandwidth = io_nodes.positive("bandwidth");
}

void read_storage(const Json& json, Machine& machine) {
  Section servers(json, "servers", {"count", "bandwidth", "targets"});
  machine.servers = static_cast<uint32_t>(servers.whole("count", 1, MachineLimits::targets, 1));
  machine.server_bandwidth = servers.number("bandwidth");
  machine.targets_per_server = static_cast<uint32_t>(servers.whole("targets", 1, MachineLimits::targets, 1));
  if (uint64_t{machine.servers} * machine.targets_per_server > MachineLimits::targets) {
    throw Wrong{"servers.targets",
                fmt::format("gives {} targets, more than the {} allowed",
                            uint64_t{machine.servers} * machine.targets_per_server, MachineLimits::targets)};
  }
  if (!json.contains("target")) throw Wrong{"target", "is missing"};
  Section target(json, "target",
                 {"read_bandwidth", "write_bandwidth", "shared_read_bandwidth", "shared_write_bandwidth",
                  "operation", "seek", "unaligned", "block"});
  machine.target.read_bandwidth = target.positive("read_bandwidth");
  machine.target.write_bandwidth = target.positive("write_bandwidth");
  machine.target.shared_read_bandwidth =
      target.at_most("shared_read_bandwidth", machine.target.read_bandwidth, "target.read_bandwidth");
  machine.target.shared_write_bandwidth =
      target.at_most("shared_write_bandwidth", machine.target.write_bandwidth, "target.write_bandwidth");
  machine.target.operation_s = target.number("operation");
  machine.target.seek_s = target.number("seek");
  machine.target.unaligned_s = target.number("unaligned");
  machine.target.block = target.whole("block", 1, MachineLimits::stripe, 4096);
  Section metadata(json, "metadata", {"operations"});
  machine.metadata_rate = metadata.number("operations");
}

StripeRule read_rule(const Json& json, const std::string& field, const Machine& machine) {
  if (!json.is_object()) throw Wrong{field, "must be an object, is " + schedule::shown(json)};
  StripeRule rule;
  try {
    schedule::know_fields(json, {"pattern", "size", "count"});
    if (json.contains("pattern")) rule.pattern = schedule::read_string(json, "pattern");
    if (json.contains("size")) rule.size = schedule::whole(json["size"], "size", 1, MachineLimits::stripe);
    if (json.contains("count"))
      rule.count = static_cast<uint32_t>(schedule::whole(json["count"], "count", 0, machine.targets()));
    if (rule.size % machine.target.block != 0) {
      throw Wrong{"size", fmt::format("must be a multiple of target.block, which is {}, is {}",
                                      machine.target.block, rule.size)};
    }
  } catch (const Wrong& wrong) {
    throw Wrong{field + "." + wrong.field, wrong.reason};
  }
  return rule;
}

void read_striping(const Json& json, Machine& machine) {
  if (!json.contains("striping")) return;
  const Json& rules = json["striping"];
  if (!rules.is_array()) throw Wrong{"striping", "must be a list, is " + schedule::shown(rules)};
  if (rules.size() > MachineLimits::rules) {
    throw Wrong{"striping",
                fmt::format("has {} rules, more than the {} allowed", rules.size(), MachineLimits::rules)};
  }
  for (size_t i = 0; i < rules.size(); ++i)
    machine.striping.push_back(read_rule(rules[i], fmt::format("striping[{}]", i), machine));
}

}  // namespace

StripeRule Machine::striping_of(const std::string& path) const {
  for (const StripeRule& rule : striping)
    if (fnmatch(rule.pattern.c_str(), path.c_str(), 0) == 0) return rule;
  StripeRule plain;
  plain.size = (plain.size + target.block - 1) / target.block * target.block;
  return plain;
}

Result<Machine> parse_machine(std::string_view text) {
  if (text.size() > most_bytes)
    return fail(ErrorKind::limit, fmt::format("is larger than the {} bytes allowed", most_bytes));
  Result<Json> json = schedule::read_json(text, "", [](size_t, const Json&) {});
  if (!json) return tl::unexpected(json.error());
  if (!json->is_object()) return fail(ErrorKind::bad_input, "must be an object that describes a machine");
  Machine machine;
  try {
    schedule::know_fields(*json, {"name", "note", "nodes", "ranks_per_node", "node", "network", "io_nodes",
                                  "servers", "target", "metadata", "striping"});
    machine.name = schedule::read_string(*json, "name");
    schedule::read_string(*json, "note");
    read_nodes(*json, machine);
    read_storage(*json, machine);
    read_striping(*json, machine);
  } catch (const Wrong& wrong) {
    return fail(ErrorKind::bad_input, wrong.reason, wrong.field);
  }
  return machine;
}

Result<Machine> read_machine(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::io, std::strerror(errno), path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return fail(ErrorKind::io, "can't be read", path);
  Result<Machine> machine = parse_machine(text);
  if (!machine) return within(path, machine.error());
  return machine;
}

std::string machine_text(const Machine& machine) {
  Json striping = Json::array();
  for (const StripeRule& rule : machine.striping)
    striping.push_back({{"pattern", rule.pattern}, {"size", rule.size}, {"count", rule.count}});
  Json node{{"bandwidth", machine.node_bandwidth},
            {"rank_bandwidth", machine.rank_bandwidth},
            {"call", machine.call_s}};
  if (machine.cache_bytes > 0) {
    node["cache"] = machine.cache_bytes;
    node["cache_bandwidth"] = machine.cache_bandwidth;
  }
  Json json{{"name", machine.name},
            {"nodes", machine.nodes},
            {"ranks_per_node", machine.ranks_per_node},
            {"node", node},
            {"network", {{"bandwidth", machine.network_bandwidth}, {"latency", machine.latency_s}}}};
  if (machine.io_nodes > 0)
    json["io_nodes"] = {{"count", machine.io_nodes}, {"bandwidth", machine.io_node_bandwidth}};
  json["servers"] = {{"count", machine.servers},
                     {"bandwidth", machine.server_bandwidth},
                     {"targets", machine.targets_per_server}};
  json["target"] = {
      {"read_bandwidth", machine.target.read_bandwidth}, {"write_bandwidth", machine.target.write_bandwidth},
      {"operation", machine.target.operation_s},         {"seek", machine.target.seek_s},
      {"unaligned", machine.target.unaligned_s},         {"block", machine.target.block}};
  if (machine.target.shared_read_bandwidth > 0)
    json["target"]["shared_read_bandwidth"] = machine.target.shared_read_bandwidth;
  if (machine.target.shared_write_bandwidth > 0)
    json["target"]["shared_write_bandwidth"] = machine.target.shared_write_bandwidth;
  json["metadata"] = {{"operations", machine.metadata_rate}};
  json["striping"] = striping;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace refrain::simulate
