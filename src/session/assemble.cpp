// Assembling a recording; see assemble.hpp. A launcher's environment reaches every process below a rank: a
// shell, the program it starts, the programs that starts. The rank is the process that called MPI_Init, or
// the first one if none did; others keep their rank only if they are the first to run their program there,
// so that sixty-four shells around sixty-four ranks merge like these.
#include "session/assemble.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "merge/side_by_side.hpp"
#include "part/part_trace.hpp"

namespace refrain::record {
namespace {

/// One process with all its threads.
struct Whole {
  trace::Trace trace;
  bool told_by_mpi = false;
  bool tail = false;

  trace::Process& process() { return trace.processes[0]; }
};

std::vector<Whole> whole_processes(std::vector<PartPieces> parts) {
  using Key = std::tuple<uint64_t, uint32_t, std::string>;  // hosts have processes of equal numbers
  std::map<Key, std::pair<Whole, std::vector<trace::Trace>>> by_process;
  for (PartPieces& part : parts) {
    if (part.pieces.empty()) continue;
    const trace::Process& owner = part.pieces[0].processes[0];
    auto& [whole, pieces] = by_process[{owner.start_ns, owner.pid, part.pieces[0].host}];
    whole.told_by_mpi |= part.told_by_mpi;
    whole.tail |= part.tail;
    std::move(part.pieces.begin(), part.pieces.end(), std::back_inserter(pieces));
  }
  std::vector<Whole> wholes;
  for (auto& [key, found] : by_process) {
    found.first.trace = merge::side_by_side(std::move(found.second));
    join_processes(found.first.trace);
    wholes.push_back(std::move(found.first));
  }
  return wholes;
}

void settle_ranks(std::vector<Whole>& wholes) {
  std::stable_sort(wholes.begin(), wholes.end(),
                   [](const Whole& a, const Whole& b) { return a.told_by_mpi > b.told_by_mpi; });
  std::set<std::pair<uint64_t, std::string>> taken;
  for (Whole& whole : wholes) {
    trace::Process& process = whole.process();
    if (process.ranks.empty()) continue;
    uint64_t rank = process.ranks.blocks()[0].first;
    if (!taken.emplace(rank, process.program).second) process.ranks = {};
  }
}

bool adds_something(trace::Process& process) {
  return process.ending == trace::Ending::early || process.loss.total() > 0 || process.empty_tests > 0 ||
         std::any_of(process.streams.begin(), process.streams.end(),
                     [](const trace::Stream& s) { return !s.nodes.empty(); });
}

}  // namespace

Assembled assemble(std::vector<PartPieces> parts, std::vector<trace::Trace> worlds) {
  std::vector<Whole> wholes = whole_processes(std::move(parts));
  settle_ranks(wholes);
  std::vector<trace::Trace> heads = std::move(worlds), tails;
  for (Whole& whole : wholes) {
    if (!whole.tail)
      heads.push_back(std::move(whole.trace));
    else if (adds_something(whole.process()))
      tails.push_back(std::move(whole.trace));
  }
  return {merge::side_by_side(std::move(heads)), merge::side_by_side(std::move(tails))};
}

}  // namespace refrain::record
