// See outcome.hpp.
#include "simulate/outcome.hpp"

#include <algorithm>
#include <cmath>

#include "schedule/job_stream.hpp"

namespace refrain::simulate {

using schedule::Json;

void Volume::add(const Volume& other, uint64_t times) {
  bytes_read += other.bytes_read * times;
  bytes_written += other.bytes_written * times;
  transfers += other.transfers * times;
  metadata += other.metadata * times;
  barriers += other.barriers * times;
}

Volume Volume::minus(const Volume& other) const {
  Volume rest = *this;
  rest.add(other, ~uint64_t{0});
  return rest;
}

void Usage::add(double start_s, double end_s, double amount) {
  if (!(amount > 0)) return;
  while (end_s > bin_s * static_cast<double>(bins)) {
    for (size_t i = 0; i < bytes.size(); i += 2)
      bytes[i / 2] = bytes[i] + (i + 1 < bytes.size() ? bytes[i + 1] : 0);
    bytes.resize((bytes.size() + 1) / 2);
    bin_s *= 2;
  }
  auto last = static_cast<size_t>(std::max(0.0, std::ceil(end_s / bin_s) - 1));
  auto first = std::min(last, static_cast<size_t>(start_s / bin_s));
  last = std::min(last, bins - 1);
  if (bytes.size() <= last) bytes.resize(last + 1);
  double length = end_s - start_s;
  for (size_t i = first; i <= last; ++i) {
    double from = std::max(start_s, static_cast<double>(i) * bin_s);
    double to = std::min(end_s, static_cast<double>(i + 1) * bin_s);
    bytes[i] += length > 0 ? amount * std::max(0.0, to - from) / length
                           : amount / static_cast<double>(last - first + 1);
  }
}

double Outcome::makespan_s() const {
  double end = 0;
  for (const ApplicationOutcome& application : applications) end = std::max(end, application.end_s);
  return end;
}

namespace {

Json application_json(const ApplicationOutcome& a) {
  Json phases = Json::array();
  for (const Phase& p : a.phases)
    phases.push_back({{"start", p.start_s},
                      {"end", p.end_s},
                      {"bytes_read", p.bytes_read},
                      {"bytes_written", p.bytes_written},
                      {"transfers", p.transfers}});
  Json functions = Json::array();
  for (const FunctionOutcome& f : a.functions)
    functions.push_back({{"function", f.function},
                         {"calls", f.calls},
                         {"bytes_read", f.bytes_read},
                         {"bytes_written", f.bytes_written},
                         {"seconds", f.seconds}});
  return {{"name", a.name},
          {"ranks", a.ranks},
          {"groups", a.groups},
          {"start", a.start_s},
          {"end", a.end_s},
          {"seconds", a.seconds()},
          {"io_seconds", a.io_s},
          {"waited", a.waited_s},
          {"alone", a.alone_s},
          {"stretch", a.stretch()},
          {"bytes_read", a.volume.bytes_read},
          {"bytes_written", a.volume.bytes_written},
          {"transfers", a.volume.transfers},
          {"metadata_operations", a.volume.metadata},
          {"barriers", a.volume.barriers},
          {"phase_count", a.phase_count},
          {"phases", phases},
          {"functions", functions},
          {"usage", {{"bin", a.usage.bin_s}, {"bytes", a.usage.bytes}}}};
}

ApplicationOutcome read_application(const Json& j) {
  ApplicationOutcome a{.name = j.at("name"),
                       .ranks = j.at("ranks"),
                       .groups = j.at("groups"),
                       .start_s = j.at("start"),
                       .end_s = j.at("end"),
                       .io_s = j.at("io_seconds"),
                       .waited_s = j.at("waited"),
                       .alone_s = j.at("alone")};
  a.volume = {j.at("bytes_read"), j.at("bytes_written"), j.at("transfers"), j.at("metadata_operations"),
              j.at("barriers")};
  a.phase_count = j.at("phase_count");
  for (const Json& p : j.at("phases"))
    a.phases.push_back(
        {p.at("start"), p.at("end"), p.at("bytes_read"), p.at("bytes_written"), p.at("transfers")});
  for (const Json& f : j.at("functions"))
    a.functions.push_back(
        {f.at("function"), f.at("calls"), f.at("bytes_read"), f.at("bytes_written"), f.at("seconds")});
  a.usage.bin_s = j.at("usage").at("bin");
  a.usage.bytes = j.at("usage").at("bytes").get<std::vector<double>>();
  return a;
}

}  // namespace

std::string outcome_json(const Outcome& outcome) {
  Json applications = Json::array();
  for (const ApplicationOutcome& a : outcome.applications) applications.push_back(application_json(a));
  Json targets = Json::array();
  for (const TargetOutcome& t : outcome.targets)
    targets.push_back({{"bytes_read", t.bytes_read},
                       {"bytes_written", t.bytes_written},
                       {"requests", t.requests},
                       {"busy", t.busy_s}});
  Json leases = Json::array();
  for (const Lease& l : outcome.leases)
    leases.push_back(
        {{"application", l.application}, {"io_node", l.io_node}, {"start", l.start_s}, {"end", l.end_s}});
  Json json{{"makespan", outcome.makespan_s()},
            {"applications", applications},
            {"targets", targets},
            {"leases", leases},
            {"flows", outcome.flows},
            {"skipped_turns", outcome.skipped},
            {"notes", outcome.notes}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Outcome> parse_outcome(std::string_view text) {
  try {
    Json json = Json::parse(text);
    Outcome outcome;
    for (const Json& a : json.at("applications")) outcome.applications.push_back(read_application(a));
    for (const Json& t : json.at("targets"))
      outcome.targets.push_back({t.at("bytes_read"), t.at("bytes_written"), t.at("requests"), t.at("busy")});
    for (const Json& l : json.at("leases"))
      outcome.leases.push_back({l.at("application"), l.at("io_node"), l.at("start"), l.at("end")});
    outcome.flows = json.at("flows");
    outcome.skipped = json.at("skipped_turns");
    outcome.notes = json.at("notes").get<std::vector<std::string>>();
    return outcome;
  } catch (const Json::exception& e) {
    return fail(ErrorKind::bad_input, std::string("not the result of a simulation: ") + e.what());
  }
}

}  // namespace refrain::simulate
