// See event.hpp. Writing is fast, because a busy coordinator tells tens of thousands of events a second.
#include "coordinate/event.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

namespace refrain::coordinate {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 8> event_names = {"job", "ask",    "grant",    "honor",
                                                         "end", "expire", "withdraw", "leave"};

template <class Number>
Number number_at(const Json& json, const char* field) {
  auto found = json.find(field);
  return found != json.end() && found->is_number_integer() ? found->get<Number>() : Number{};
}

}  // namespace

std::string_view event_name(EventKind kind) { return event_names[static_cast<size_t>(kind)]; }

std::string json_string(std::string_view text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string event_json(const Event& event) {
  fmt::memory_buffer out;
  auto at = std::back_inserter(out);
  fmt::format_to(at, R"({{"at_ns": {}, "event": "{}", "job": {}, "step": {}, "io_node": {}, "phase": {})",
                 event.at, event_name(event.kind), event.job.job, event.job.step, event.job.io_node,
                 event.phase);
  if (event.lease != 0) fmt::format_to(at, R"(, "lease": {})", event.lease);
  if (event.bytes != 0) fmt::format_to(at, R"(, "bytes": {})", event.bytes);
  if (event.kind == EventKind::job) {
    fmt::format_to(at, R"(, "age_ns": {}, "nodes": {}, "name": {})", event.age, event.nodes,
                   json_string(event.name));
  }
  out.push_back('}');
  return fmt::to_string(out);
}

Result<Event> parse_event(std::string_view line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return fail(ErrorKind::bad_input, "no JSON object");
  auto name = json.find("event");
  if (name == json.end() || !name->is_string()) return fail(ErrorKind::bad_input, "no event");
  for (size_t i = 0; i < event_names.size(); ++i) {
    if (name->get_ref<const std::string&>() != event_names[i]) continue;
    Event event{.at = number_at<Time>(json, "at_ns"), .kind = static_cast<EventKind>(i)};
    event.job = {number_at<uint32_t>(json, "job"), number_at<uint64_t>(json, "step"),
                 number_at<uint32_t>(json, "io_node")};
    event.lease = number_at<uint64_t>(json, "lease");
    event.phase = number_at<uint64_t>(json, "phase");
    event.bytes = number_at<uint64_t>(json, "bytes");
    event.age = number_at<Time>(json, "age_ns");
    event.nodes = number_at<uint32_t>(json, "nodes");
    if (auto text = json.find("name"); text != json.end() && text->is_string()) event.name = *text;
    return event;
  }
  return fail(ErrorKind::bad_input,
              "no event is named " + name->dump(-1, ' ', true, Json::error_handler_t::replace));
}

}  // namespace refrain::coordinate
