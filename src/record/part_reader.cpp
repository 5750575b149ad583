// From parts to a trace; see part_reader.hpp.
#include "record/part_reader.hpp"

#include <algorithm>
#include <fstream>

#include "merge/merge_ranks.hpp"
#include "merge/side_by_side.hpp"
#include "record/part_trace.hpp"
#include "record/session.hpp"
#include "trace/file.hpp"

namespace refrain::record {
namespace {

namespace fs = std::filesystem;

/// All pieces of one part, in order.
Result<std::vector<trace::Trace>> read_part(const fs::path& path, bool& alive) {
  auto part = read_part_file(path);
  if (!part) return tl::unexpected(part.error());
  auto owner = owner_of(*part);
  if (!owner) return tl::unexpected(owner.error());
  alive = part->ending == 0 && maps_file(owner->process.pid, path);
  return part_pieces(*part, Extent::all);
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
  std::vector<trace::Trace> pieces;
  Error first_error;
  for (size_t i = 0; i < paths->size(); ++i) {
    bool alive = false;
    auto part = read_part((*paths)[i], alive);
    if (!part) {
      Error error = within((*paths)[i].string(), part.error()).value();
      if (report->damaged.empty()) first_error = error;
      report->damaged.push_back(error.text());
    } else {
      std::move(part->begin(), part->end(), std::back_inserter(pieces));
      ++report->parts;
    }
    if (alive) ++report->still_running;
    if (progress) progress(i + 1, paths->size());
  }
  if (report->parts == 0 && !report->damaged.empty()) return tl::unexpected(first_error);
  trace::Trace whole = merge::side_by_side(std::move(pieces));
  join_processes(whole);
  whole.command = about->command;
  whole.recorder = about->version;
  whole.layers = about->layers;
  for (const std::string& line : report->damaged) whole.notes.push_back("part not read: " + line);
  if (about->unrecorded > 0)
    whole.notes.push_back(std::to_string(about->unrecorded) +
                          " processes or threads could not be recorded: " + about->last_error);
  // Parts may come from anywhere: what they add up to passes the same checks as a file.
  auto checked = trace::decode(trace::encode(whole));
  if (!checked) return within(folder.string(), checked.error());
  return merge::merged_ranks(std::move(*checked), merging);
}

}  // namespace refrain::record
