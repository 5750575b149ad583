// Joining parts; the exact renumbering of references is in renumber.cpp.
#include "merge/side_by_side.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

#include "merge/renumber.hpp"
#include "merge/table_references.hpp"

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

/// Moves processes out of their parts into common tables.
class Union {
 public:
  Union(std::vector<Trace>& parts, Trace& whole) : parts_(parts), whole_(whole), shared_(whole) {
    for (const Trace& part : parts) left_.push_back(part.processes.size());
    renumberers_.resize(parts.size());
  }

  Process taken(const Entry& entry) {
    Renumberer& renumberer = renumberer_of(entry.part);
    Process process = std::move(*entry.process);
    for (trace::Stream& stream : process.streams) renumberer.apply(stream.nodes);
    tie_references(whole_, process);
    if (--left_[entry.part] == 0 && &renumberer.part() != &parts_[entry.part]) parts_[entry.part] = {};
    return process;
  }

 private:
  /// Neighbors have mostly the same tables: what has been found out about those holds for all of them.
  Renumberer& renumberer_of(size_t number) {
    if (renumberers_[number]) return *renumberers_[number];
    Trace& part = parts_[number];
    untie_references(part);
    bool alike = last_ && same_tables(last_->part(), part);
    if (!alike || !last_->serves(part))
      last_ = std::make_shared<Renumberer>(part, shared_, alike ? last_.get() : nullptr);
    return *(renumberers_[number] = last_);
  }

  std::vector<Trace>& parts_;
  Trace& whole_;
  SharedTables shared_;
  std::vector<size_t> left_;                              ///< processes, by part
  std::vector<std::shared_ptr<Renumberer>> renumberers_;  ///< by part
  std::shared_ptr<Renumberer> last_;
};

}  // namespace

void take_head(Trace& whole, const Trace& part) {
  if (whole.command.empty()) whole.command = part.command;
  if (whole.host.empty()) whole.host = part.host;
  if (whole.recorder.empty()) whole.recorder = part.recorder;
  whole.nprocs = std::max(whole.nprocs, part.nprocs);
  add_missing(whole.layers, part.layers);
  add_missing(whole.notes, part.notes);
}

void for_each_process(std::vector<Trace> parts, Trace& whole, const std::function<void(Process)>& use) {
  for (const Trace& part : parts) take_head(whole, part);
  Union all(parts, whole);
  for (const Entry& entry : in_order(parts)) use(all.taken(entry));
}

Trace side_by_side(std::vector<Trace> parts) {
  Trace whole;
  for_each_process(std::move(parts), whole, [&](Process p) { whole.processes.push_back(std::move(p)); });
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
