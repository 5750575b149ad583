// The text of darshan-parser, so that scripts which read it run on traces: job, then per module, file and
// rank the counters that both define. As there, a file that all ranks used is one record of rank -1.
#include <fmt/chrono.h>
#include <fmt/core.h>

#include <ctime>

#include "api/table.hpp"
#include "base/output_file.hpp"
#include "exchange/darshan_counters.hpp"
#include "exchange/exporters.hpp"
#include "trace/text.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

constexpr size_t most_records = 2'000'000;

class DarshanText {
 public:
  DarshanText(const Trace& trace, OutputFile& file)
      : trace_(trace),
        file_(file),
        facts_(call_facts(trace)),
        ranks_(std::max<uint64_t>(1, rank_count(trace))) {}

  Result<void> run() {
    head();
    for (const DarshanModule& module : darshan_modules)
      if (Result<void> done = this->module(module); !done) return done;
    return {};
  }
  uint64_t records() const { return written_; }
  bool damaged() const { return damaged_; }

 private:
  static std::string date(uint64_t seconds) {
    return fmt::format("{:%a %b %e %H:%M:%S %Y}", fmt::gmtime(static_cast<std::time_t>(seconds)));
  }

  void head() {
    uint64_t start = UINT64_MAX, elapsed = 0;
    std::string command = trace_.command;
    for (const Process& p : trace_.processes) {
      start = std::min(start, p.start_ns);
      elapsed = std::max(elapsed, p.elapsed_ns);
      if (!p.arguments.empty() && !p.ranks.empty()) command = words(p.arguments);
    }
    if (trace_.processes.empty()) start = 0;
    uint64_t first = start / 1'000'000'000, last = (start + elapsed) / 1'000'000'000;
    file_.write("# darshan log version: 3.41\n# compression method: NONE\n");
    file_.write(fmt::format("# exe: {}\n# uid: -1\n# jobid: 0\n", plain_name(command)));
    file_.write(fmt::format("# start_time: {}\n# start_time_asci: {}\n", first, date(first)));
    file_.write(fmt::format("# end_time: {}\n# end_time_asci: {}\n", last, date(last)));
    file_.write(
        fmt::format("# nprocs: {}\n# run time: {:.4f}\n", ranks_, static_cast<double>(elapsed) / 1e9));
    file_.write(
        fmt::format("# metadata: source = a trace of refrain\n# metadata: times = {}\n", times_note(trace_)));
    file_.write("\n# mounted file systems (mount point and fs type)\n# not known to the trace\n");
    file_.write(
        "\n# description of columns:\n"
        "#   <module>: module responsible for this I/O record.\n"
        "#   <rank>: MPI rank; -1: the file is shared by all, and counters are summed.\n"
        "#   <record id>: hash of the record's file path\n"
        "#   <counter name> and <counter value>: -1: the trace doesn't know it.\n"
        "#   <file name>, <mount pt>, <fs type>\n");
  }

  static std::string words(const std::vector<std::string>& arguments) {
    std::string text;
    for (const std::string& a : arguments) text += (text.empty() ? "" : " ") + a;
    return text;
  }

  Result<void> module(const DarshanModule& module) {
    std::map<std::string, std::map<uint32_t, DarshanRecord>> by_path;
    size_t records = 0;
    for (uint32_t rank = 0; rank < ranks_; ++rank) {
      for (const Member& member : members_of(trace_, rank)) {
        std::map<size_t, DarshanRecord> found = records_of(member, module);
        for (const auto& [number, record] : found) {
          std::string path = absolute(files_[number].path, member.process->directory);
          by_path[path][rank].merge(record);
        }
        records += found.size();
      }
      if (records > most_records)
        return fail(ErrorKind::limit, fmt::format("more than {} records of files and ranks", most_records));
    }
    if (by_path.empty()) return {};
    constexpr const char* line = "# *******************************************************\n";
    file_.write(fmt::format("\n{}# {} module data\n{}\n", line, module.name, line));
    file_.write("#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>\n");
    for (auto& [path, ranks] : by_path) put(module, path, ranks);
    return {};
  }

  /// All calls of the layer, those below other layers, too.
  std::map<size_t, DarshanRecord> records_of(const Member& member, const DarshanModule& module) {
    std::map<size_t, DarshanRecord> records;
    Process program = program_of(member);
    MemberWalk walk(trace_, program, {std::string(module.layer)});
    FileTracker tracker(trace_, program, facts_, files_);
    for (Call call = walk.next(); call.signature != nullptr; call = walk.next()) {
      Access access = tracker.call(call);
      // Files that are only named, by mkdir for instance, have no record; those that are asked about do.
      bool asks = api::traits_of(call.signature->function).has(api::Trait::tells_attributes);
      bool counts = call.signature->layer == module.layer && call.signature->error.empty() &&
                    (access.kind != Access::Kind::other || facts_[call.number].handle != nullptr || asks);
      if (counts && access.file) records[*access.file].add(call, facts_[call.number], access);
    }
    damaged_ |= walk.damaged();
    return records;
  }

  static std::string absolute(const std::string& path, const std::string& folder) {
    return path.starts_with('/') || path.starts_with('(') || folder.empty() ? path : folder + "/" + path;
  }

  void put(const DarshanModule& module, const std::string& path, std::map<uint32_t, DarshanRecord>& ranks) {
    if (ranks.size() == ranks_ && ranks_ > 1) {
      DarshanRecord all;
      for (const auto& [rank, record] : ranks) all.merge(record);
      return put(module, path, -1, all);
    }
    for (const auto& [rank, record] : ranks) put(module, path, rank, record);
  }

  void put(const DarshanModule& module, const std::string& path, int64_t rank, const DarshanRecord& record) {
    // The columns are separated by tabs, which a name may hold.
    std::string name = plain_name(path);
    std::string prefix = module.name == "MPI-IO" ? "MPIIO" : std::string(module.name);
    ++written_;
    for (const DarshanRecord::Counter& c : record.counters(module.name))
      file_.write(fmt::format("{}\t{}\t{}\t{}_{}\t{}\t{}\tUNKNOWN\tUNKNOWN\n", module.name, rank,
                              file_id(path), prefix, c.name, c.value, name));
  }

  const Trace& trace_;
  OutputFile& file_;
  std::vector<CallFacts> facts_;
  FileTable files_;
  uint64_t ranks_, written_ = 0;
  bool damaged_ = false;
};

}  // namespace

Result<Exported> export_darshan(const Trace& trace, const ExportOptions&, const std::filesystem::path& to) {
  OutputFile file;
  if (Result<void> opened = file.open_or_stdout(to); !opened) return tl::unexpected(opened.error());
  DarshanText text(trace, file);
  if (Result<void> done = text.run(); !done) return tl::unexpected(done.error());
  if (Result<void> done = file.close(); !done) return tl::unexpected(done.error());
  Exported exported{fmt::format("{} records", text.records()), {times_note(trace)}};
  exported.notes.push_back(
      "counters that a trace doesn't know are -1; modules of HDF5 and others are left out");
  if (text.damaged()) exported.notes.push_back("the trace is damaged: calls are missing");
  return exported;
}

}  // namespace refrain::exchange
