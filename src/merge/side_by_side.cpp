// Joining parts; the exact renumbering of references is in renumber.cpp.
#include "merge/side_by_side.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

#include "merge/references.hpp"
#include "merge/renumber.hpp"

namespace refrain::merge {
namespace {

using trace::Process;
using trace::Trace;

void add_missing(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& s : from)
    if (std::find(to.begin(), to.end(), s) == to.end()) to.push_back(s);
}

struct Entry {
  Process* process;
  size_t part;
};

std::vector<Entry> in_order(std::vector<Trace>& parts) {
  std::vector<Entry> entries;
  for (size_t i = 0; i < parts.size(); ++i)
    for (Process& process : parts[i].processes) entries.push_back({&process, i});
  auto rank = [](const Entry& e) { return e.process->ranks.empty() ? UINT64_MAX : e.process->ranks.first(); };
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return std::tuple(rank(a), a.process->start_ns, a.process->pid) <
           std::tuple(rank(b), b.process->start_ns, b.process->pid);
  });
  return entries;
}

bool same_tables(const Trace& a, const Trace& b) {
  return a.signatures == b.signatures && a.templates == b.templates &&
         std::equal(a.lists.begin(), a.lists.end(), b.lists.begin(), b.lists.end(),
                    [](const auto& x, const auto& y) { return x.same_values(y); });
}

}  // namespace

void take_head(Trace& whole, const Trace& part) {
  if (whole.command.empty()) whole.command = part.command;
  if (whole.host.empty()) whole.host = part.host;
  if (whole.recorder.empty()) whole.recorder = part.recorder;
  whole.nprocs = std::max(whole.nprocs, part.nprocs);
  add_missing(whole.layers, part.layers);
  add_missing(whole.notes, part.notes);
}

Trace side_by_side(std::vector<Trace> parts) {
  Trace whole;
  for (Trace& part : parts) {
    take_head(whole, part);
    untie_references(part);
  }
  SharedTables shared(whole);
  std::vector<std::unique_ptr<Renumberer>> renumberers(parts.size());
  size_t before = parts.size();
  for (const Entry& entry : in_order(parts)) {
    auto& renumberer = renumberers[entry.part];
    const Trace& part = parts[entry.part];
    if (!renumberer) {
      bool alike = before < parts.size() && same_tables(parts[before], part);
      renumberer = std::make_unique<Renumberer>(part, shared, alike ? renumberers[before].get() : nullptr);
      before = entry.part;
    }
    for (trace::Stream& stream : entry.process->streams) renumberer->apply(stream.nodes);
    whole.processes.push_back(std::move(*entry.process));
  }
  tie_references(whole);
  return whole;
}

void move_into(Trace& whole, Trace& part) {
  if (same_tables(whole, part)) return;
  untie_references(whole);
  untie_references(part);
  SharedTables shared(whole);
  Renumberer renumberer(part, shared);
  for (Process& p : part.processes)
    for (trace::Stream& s : p.streams) renumberer.apply(s.nodes);
}

}  // namespace refrain::merge
