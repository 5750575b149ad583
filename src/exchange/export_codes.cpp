// CODES' I/O language: one straight-line file per rank, the meta file that names them, and a list of the
// files behind the numbers. CODES' reader of the language has traps that decide the form: it swallows the
// first statement when it loads a file, so that one does nothing; of `while` it gives the last turn only, and
// `getgrouprank` is that of whatever rank was loaded last, so there are literals only; without `exit` it
// never ends; group 0 is reserved.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/output_file.hpp"
#include "exchange/exporters.hpp"
#include "exchange/operations.hpp"

namespace refrain::exchange {

namespace {

/// Every file has a place in the folder, and every operation a line.
constexpr uint64_t most_ranks = 1'000'000;

struct CodesExport {
  std::map<uint64_t, std::string> paths{};
  uint64_t operations = 0, unplaced = 0, collective = 0;
  uint64_t without_rank = 0;  ///< processes of a parallel trace that do something all the same
  bool damaged = false;

  std::string statement(const Operation& o) {
    switch (o.kind) {
      case Operation::Kind::pause:
        return fmt::format("sleep {};\n", o.pause_ns);
      case Operation::Kind::open:
        return fmt::format("open {};\n", o.file);
      case Operation::Kind::close:
        return fmt::format("close {};\n", o.file);
      case Operation::Kind::read:
        return fmt::format("readat {}, {}, {};\n", o.file, o.bytes, o.offset);
      case Operation::Kind::write:
        return fmt::format("writeat {}, {}, {};\n", o.file, o.bytes, o.offset);
      case Operation::Kind::barrier:
        return "sync 1;\n";
      case Operation::Kind::end:
        break;
    }
    return "exit 0;\n";
  }

  void count(const Operation& o) {
    if (o.kind != Operation::Kind::pause && o.kind != Operation::Kind::end) ++operations;
    if (o.file != 0) paths.try_emplace(o.file, o.path);
    if (o.kind != Operation::Kind::read && o.kind != Operation::Kind::write) return;
    unplaced += !o.is_placed;
    collective += o.is_collective;
  }

  Result<void> rank_file(RankOperations& rank, const std::filesystem::path& to) {
    OutputFile file;
    if (Result<void> opened = file.open(to); !opened) return opened;
    file.write("sync 0;\n");
    for (bool more = true; more;) {
      Operation o = rank.next();
      count(o);
      file.write(statement(o));
      more = o.kind != Operation::Kind::end;
    }
    damaged |= rank.damaged();
    return file.close();
  }

  std::vector<std::string> notes(const trace::Trace& trace, const std::string& layer) const {
    std::vector<std::string> list{times_note(trace)};
    if (operations == 0)
      list.push_back(layer.empty() ? "the program has no operations on files"
                                   : fmt::format("the trace has no operations of layer {}", layer));
    if (unplaced > 0)
      list.push_back(
          fmt::format("{} transfers don't say where in their file they are (views of MPI-IO, "
                      "selections of HDF5): each rank's stand one behind the other; --layer takes "
                      "the calls of a layer below, --layer posix those of the system",
                      unplaced));
    if (collective > 0)
      list.push_back(
          fmt::format("{} transfers are collective: CODES' language has independent ones only", collective));
    if (without_rank > 0)
      list.push_back(
          fmt::format("processes that are no ranks of the program are left out: {}", without_rank));
    if (damaged) list.push_back("the trace is damaged: operations are missing");
    return list;
  }
};

}  // namespace

Result<Exported> export_codes(const trace::Trace& trace, const ExportOptions& options,
                              const std::filesystem::path& to) {
  uint64_t ranks = rank_count(trace);
  if (ranks > most_ranks)
    return fail(ErrorKind::limit,
                fmt::format("{} ranks are {} files: use the workload method in share/codes, "
                            "which needs none",
                            ranks, ranks));
  if (Result<void> made = make_output_folder(to); !made) return tl::unexpected(made.error());
  std::vector<CallFacts> facts = call_facts(trace);
  CodesExport codes;
  if (trace.nprocs > 0)
    codes.without_rank = static_cast<uint64_t>(
        std::count_if(trace.processes.begin(), trace.processes.end(),
                      [](const trace::Process& p) { return p.ranks.empty() && !p.streams.empty(); }));
  std::string meta;
  for (uint32_t r = 0; r < ranks; ++r) {
    RankOperations rank(trace, facts, r, {options.layer, options.max_block});
    std::string name = fmt::format("rank{}.txt", r);
    if (Result<void> done = codes.rank_file(rank, to / name); !done) return tl::unexpected(done.error());
    meta += fmt::format("{} {} {} {}\n", r + 1, r, r, name);
  }
  std::string paths;
  for (const auto& [id, path] : codes.paths) paths += fmt::format("{} {}\n", id, path);
  if (Result<void> done = write_whole_file(to / "meta.txt", meta); !done) return tl::unexpected(done.error());
  if (Result<void> done = write_whole_file(to / "files.txt", paths); !done)
    return tl::unexpected(done.error());
  return Exported{
      fmt::format("{} ranks, {} operations, {} files", ranks, codes.operations, codes.paths.size()),
      codes.notes(trace, options.layer)};
}

}  // namespace refrain::exchange
