// Models of times, their text and their bytes; see time_law.hpp.
#include "trace/time_law.hpp"

#include <algorithm>
#include <cmath>

#include "base/bit_cast.hpp"
#include "trace/trace.hpp"

namespace refrain::trace {
namespace {

/// A time with its unit and one digit behind the point.
std::string time_text(double ns) {
  struct Unit {
    double ns;
    const char* name;
  };
  Unit unit{1, "ns"};
  for (Unit u : {Unit{1e3, "us"}, Unit{1e6, "ms"}, Unit{1e9, "s"}})
    if (std::abs(ns) >= u.ns) unit = u;
  std::string digits = std::to_string(std::abs(ns) / unit.ns);
  return digits.substr(0, digits.find('.') + 2) + unit.name;
}

template <class Nodes, class Use>
void for_events(Nodes& nodes, const Use& use) {
  for (auto& node : nodes) {
    if (node.kind == NodeKind::event) use(node);
    for_events(node.body, use);
  }
}

bool any_law(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Node& n) { return n.time_law != nullptr || any_law(n.body); });
}

}  // namespace

double TimeModel::basis(Term term, double nprocs) {
  switch (term) {
    case constant:
      return 1;
    case inverse:
      return 1 / nprocs;
    case linear:
      return nprocs;
    case quadratic:
      break;
  }
  return nprocs * nprocs;
}

double TimeModel::at(double nprocs) const {
  double sum = 0;
  for (size_t i = 0; i < terms; ++i)
    if (factors[i] != 0) sum += static_cast<double>(factors[i]) * basis(static_cast<Term>(i), nprocs);
  return sum;
}

bool TimeModel::is_zero() const {
  return std::all_of(factors.begin(), factors.end(), [](float f) { return f == 0; });
}

std::string TimeModel::text() const {
  constexpr std::array<const char*, terms> behind = {"", "/P", "*P", "*P*P"};
  std::string out;
  for (size_t i = 0; i < terms; ++i) {
    if (factors[i] == 0) continue;
    const char* sign = factors[i] < 0 ? (out.empty() ? "-" : " - ") : (out.empty() ? "" : " + ");
    out += sign + time_text(static_cast<double>(factors[i])) + behind[i];
  }
  return out.empty() ? "0ns" : out;
}

void TimeModel::write(ByteWriter& out) const {
  uint8_t present = 0;
  for (size_t i = 0; i < terms; ++i)
    if (factors[i] != 0) present |= static_cast<uint8_t>(1u << i);
  out.u8(present);
  for (float f : factors)
    if (f != 0) out.u32(bit_cast<uint32_t>(f));
}

TimeModel TimeModel::read(ByteReader& in) {
  TimeModel model;
  uint8_t present = in.u8();
  if (present >> terms != 0) in.fail("unknown term of a time");
  for (size_t i = 0; i < terms && in.ok(); ++i) {
    if ((present >> i & 1) == 0) continue;
    model.factors[i] = bit_cast<float>(in.u32());
    if (!std::isfinite(model.factors[i]) || model.factors[i] == 0) in.fail("bad factor of a time");
  }
  return in.ok() ? model : TimeModel();
}

bool has_estimates(const Trace& trace) {
  return has_time_laws(trace) || std::any_of(trace.notes.begin(), trace.notes.end(), [](const auto& note) {
           return note.starts_with(Trace::estimates_note);
         });
}

bool has_time_laws(const Trace& trace) {
  return std::any_of(trace.processes.begin(), trace.processes.end(), [](const Process& p) {
    return !p.elapsed_law.is_zero() ||
           std::any_of(p.streams.begin(), p.streams.end(), [](const Stream& s) { return any_law(s.nodes); });
  });
}

void drop_times(Trace& trace) {
  for (Process& p : trace.processes) {
    p.elapsed_ns = 0;
    p.heat = {};
    p.elapsed_law = {};
    for (Stream& s : p.streams)
      for_events(s.nodes, [](Node& n) {
        n.timing = {};
        n.time_law.reset();
      });
  }
}

void write_time_laws(ByteWriter& out, const Trace& trace) {
  for (const Process& p : trace.processes) p.elapsed_law.write(out);
  for (const Process& p : trace.processes)
    for (const Stream& s : p.streams)
      for_events(s.nodes, [&](const Node& n) {
        out.u8(n.time_law != nullptr);
        if (n.time_law)
          for (const TimeModel& m : n.time_law->models) m.write(out);
      });
}

void read_time_laws(ByteReader& in, Trace& trace) {
  for (Process& p : trace.processes) p.elapsed_law = TimeModel::read(in);
  for (Process& p : trace.processes)
    for (Stream& s : p.streams)
      for_events(s.nodes, [&](Node& n) {
        if (!in.ok() || in.bounded(1, "neither a law nor none") == 0) return;
        TimingLaw law;
        for (TimeModel& m : law.models) m = TimeModel::read(in);
        if (in.ok()) n.time_law = std::make_shared<const TimingLaw>(law);
      });
}

}  // namespace refrain::trace
