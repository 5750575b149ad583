// From parts to a trace; see part_reader.hpp.
#include "session/part_reader.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "api/layers.hpp"
#include "api/table.hpp"
#include "format/file.hpp"
#include "merge/merge_ranks.hpp"
#include "part/part_trace.hpp"
#include "part/process_info.hpp"
#include "session/assemble.hpp"
#include "session/process_steps.hpp"
#include "session/session.hpp"
#include "session/static_libraries.hpp"
#include "trace/notes.hpp"

namespace refrain::record {
namespace {

namespace fs = std::filesystem;

/// What ranks merged in place, by the number of their world.
using Worlds = std::map<uint64_t, trace::Trace>;

enum class Life { over, here, elsewhere };

Result<PartPieces> read_part(const fs::path& path, const Worlds& worlds, Life& life,
                             std::vector<MarkedProcess>& marked) {
  auto part = read_part_file(path.c_str());
  if (!part) return tl::unexpected(part.error());
  auto owner = owner_of(*part);
  if (!owner) return tl::unexpected(owner.error());
  if (part->ending == 0 && owner->host != host_name())
    life = Life::elsewhere;
  else if (part->ending == 0 && maps_file(owner->process.pid, path))
    life = Life::here;
  PartPieces out;
  out.told_by_mpi = part->rank != 0;
  out.tail = part->offered > 0 && worlds.contains(part->world);
  auto pieces = part_pieces(*part, out.tail ? Extent::tail : Extent::all);
  if (!pieces) return tl::unexpected(pieces.error());
  out.pieces = std::move(*pieces);
  auto marks = part_marks(*part);
  if (!marks) return tl::unexpected(marks.error());
  if (owner->lane == 0)
    marked.push_back({owner->process.start_ns, owner->process.pid, owner->host, std::move(*marks)});
  return out;
}

/// The number in `merged-0123456789abcdef.rfn`.
std::optional<uint64_t> world_of(const fs::path& path) {
  std::string name = path.filename().string();
  constexpr std::string_view before = "merged-", after = ".rfn";
  if (!name.starts_with(before) || !name.ends_with(after) || name.size() != before.size() + 16 + after.size())
    return std::nullopt;
  uint64_t number = 0;
  const char* first = name.data() + before.size();
  auto [end, error] = std::from_chars(first, first + 16, number, 16);
  if (error != std::errc() || end != first + 16) return std::nullopt;
  return number;
}

/// One that can't be read doesn't count: the parts are still whole.
Worlds read_worlds(const fs::path& folder, PartsReport& report) {
  Worlds worlds;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    auto world = world_of(at->path());
    if (!world) continue;
    auto trace = format::read_file(at->path());
    if (trace)
      worlds.emplace(*world, std::move(*trace));
    else
      report.remarks.push_back("merged from the parts again: " + trace.error().text());
  }
  return worlds;
}

Result<std::vector<fs::path>> list_parts(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> paths;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
       at.increment(error))
    if (at->path().extension() == ".part") paths.push_back(at->path());
  if (error) return fail(ErrorKind::io, error.message(), folder.string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Ranks of an MPI job that left nothing, though each of them must have called MPI_Init.
std::string missing_ranks(const trace::Trace& trace) {
  trace::RankSet found;
  for (const trace::Process& process : trace.processes) found.unite(process.ranks);
  std::vector<uint32_t> missing;
  for (uint32_t rank = 0; rank < trace.nprocs; ++rank)
    if (!found.contains(rank)) missing.push_back(rank);
  return missing.empty() ? "" : trace::RankSet::of(std::move(missing)).text();
}

/// What went past the recorder, and how that may be.
void note_unseen(const SessionInfo& about, std::vector<std::string>& notes) {
  auto processes = [](uint64_t n) { return std::to_string(n) + (n == 1 ? " process" : " processes"); };
  std::string bytes;
  if (about.unseen_written > 0) bytes = std::to_string(about.unseen_written) + " bytes written";
  if (about.unseen_read > 0)
    bytes += (bytes.empty() ? "" : " and ") + std::to_string(about.unseen_read) + " bytes read";
  if (!bytes.empty())
    notes.push_back(std::string(trace::missing_note) + "at least " + bytes + " by " +
                    processes(about.unseen_processes) +
                    " went past the recorder, by the kernel's count: raw system calls, code that is linked "
                    "statically, or stdio as macros (getc_unlocked and the like)");
  if (about.ring_processes > 0)
    notes.push_back(std::string(trace::missing_note) + processes(about.ring_processes) +
                    " had a ring of io_uring that liburing didn't make: what went through it was not seen");
}

/// Whether stores into mapped files are known by range only.
bool has_unplaced_stores(const trace::Trace& trace) {
  return std::any_of(trace.signatures.begin(), trace.signatures.end(), [](const trace::Signature& s) {
    return api::traits_of(s.function).has(api::Trait::covers_more);
  });
}

/// What is to be said about the recording as a whole.
void add_notes(trace::Trace& whole, const SessionInfo& about, const PartsReport& report, bool told_by_mpi) {
  if (!about.kernel_of.empty())
    whole.notes.push_back(std::string(trace::Trace::kernel_note) + about.kernel_of);
  for (const std::string& line : report.remarks) whole.notes.push_back(line);
  for (const std::string& line : report.damaged) whole.notes.push_back("part not read: " + line);
  bool mpi = std::find(about.layers.begin(), about.layers.end(), api::facts_of(api::Layer::mpi).name) !=
             about.layers.end();
  if (std::string ranks = missing_ranks(whole); told_by_mpi && mpi && about.meetings == 0 && !ranks.empty())
    whole.notes.push_back(
        std::string(trace::missing_note) + "of " + std::to_string(whole.nprocs) + " ranks, " + ranks +
        " left nothing: they were not recorded, or their host doesn't share the folder of the parts");
  auto missing = [&](uint64_t count, const char* one, const char* more, const std::string& why) {
    if (count == 0) return;
    whole.notes.push_back(std::string(trace::missing_note) + std::to_string(count) +
                          (count == 1 ? one : more) + why);
  };
  missing(about.unrecorded, " process or thread", " processes or threads",
          " could not be recorded: " + about.last_error);
  missing(about.cleared, " program was", " programs were",
          " started without the recorder, in an environment made anew (as by env -i or sudo)");
  missing(about.unsuited, " program was", " programs were",
          " started without the recorder, which can't be loaded there (another C library, another machine, "
          "after chroot, or with too little address space)");
  note_unseen(about, whole.notes);
  if (about.other_mpi)
    whole.notes.emplace_back(
        "MPI calls are not recorded, only what they lead to: the program's MPI library is not one that "
        "Refrain knows (Open MPI, MPICH and its family, the MPI standard's ABI)");
  if (about.emptied > 0)
    whole.notes.push_back(
        std::to_string(about.emptied) + (about.emptied == 1 ? " call" : " calls") +
        " of HDF5 wrote data of variable length in more pieces than a trace tells (1,048,576): "
        "kernels and replays write them empty");
  if (has_unplaced_stores(whole))
    whole.notes.emplace_back(
        "stores into mapped files are known as whole ranges only (stored_somewhere): the system doesn't tell "
        "which pages it was, or the mapping is too large; kernels and replays store into all of them");
  std::set<std::string> programs;
  for (const trace::Process& process : whole.processes) programs.insert(process.program);
  for (const std::string& program : programs)
    if (std::string unseen = unseen_libraries(program); !unseen.empty())
      whole.notes.push_back(std::string(trace::missing_note) + unseen);
  if (about.meetings > 0)
    whole.notes.emplace_back(
        "MPI started processes or met others (MPI_Comm_spawn and the like): communication with them is "
        "timed, not "
        "recorded, and neither a kernel nor a replay starts them");
}

}  // namespace

bool maps_file(uint32_t pid, const fs::path& file) {
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::string wanted = file.filename().string();
  for (std::string line; std::getline(maps, line);)
    if (line.size() >= wanted.size() && line.ends_with(wanted)) return true;
  return false;
}

Result<trace::Trace> read_parts(const fs::path& folder, PartsReport* report, const Progress& progress,
                                const merge::Options& merging) {
  auto about = read_session(folder);
  if (!about) return tl::unexpected(about.error());
  auto paths = list_parts(folder);
  if (!paths) return tl::unexpected(paths.error());
  PartsReport local;
  if (report == nullptr) report = &local;
  Worlds worlds = read_worlds(folder, *report);
  std::vector<PartPieces> parts;
  std::vector<MarkedProcess> marked;
  Error first_error;
  for (size_t i = 0; i < paths->size(); ++i) {
    if (is_unbegun((*paths)[i].c_str())) continue;
    Life life = Life::over;
    auto part = read_part((*paths)[i], worlds, life, marked);
    if (!part) {
      Error error = within((*paths)[i].string(), part.error()).value();
      if (report->damaged.empty()) first_error = error;
      report->damaged.push_back(error.text());
    } else {
      parts.push_back(std::move(*part));
      ++report->parts;
    }
    if (life == Life::here) ++report->still_running;
    if (life == Life::elsewhere) ++report->unended_elsewhere;
    if (progress) progress(i + 1, paths->size());
  }
  if (about->processes > about->ended)
    report->still_running = std::max(report->still_running, processes_recorded_into(folder));
  if (report->parts == 0 && !report->damaged.empty()) return tl::unexpected(first_error);
  bool told_by_mpi = !worlds.empty() || std::any_of(parts.begin(), parts.end(),
                                                    [](const PartPieces& p) { return p.told_by_mpi; });
  std::vector<trace::Trace> merged;
  for (auto& [world, trace] : worlds) merged.push_back(std::move(trace));
  Assembled all = assemble(std::move(parts), std::move(merged));
  // Parts may come from anywhere: what they add up to passes the same checks as a file.
  for (trace::Trace* trace : {&all.whole, &all.tail}) {
    const std::vector<uint8_t> bytes = format::encode(*trace);
    *trace = {};  // not twice in memory
    auto checked = format::decode(bytes);
    if (!checked) return within(folder.string(), checked.error());
    *trace = std::move(*checked);
  }
  trace::Trace whole = merge::merged_ranks(std::move(all.whole), merging);
  if (!all.tail.processes.empty())
    merge::concatenate(whole, merge::merged_ranks(std::move(all.tail), merging));
  add_steps(whole, marked);
  whole.command = about->command;
  whole.recorder = about->version;
  whole.layers = about->layers;
  add_notes(whole, *about, *report, told_by_mpi);
  return whole;
}

}  // namespace refrain::record
