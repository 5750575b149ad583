// The calls of one rank, or of one process, on their way into the figures of files: a run of its streams.
#pragma once

#include <unordered_map>

#include "measure/access_pattern.hpp"
#include "measure/file_positions.hpp"
#include "measure/file_usage.hpp"
#include "measure/named_files.hpp"
#include "measure/quiet_loop.hpp"
#include "trace/expand.hpp"

namespace refrain::measure {

/// What is the same for all runs.
struct UsageTables {
  explicit UsageTables(const trace::Trace& trace)
      : accesses(access_rules(trace.signatures)), files(file_rules(trace.signatures)) {}
  std::vector<AccessRule> accesses;
  std::vector<FileRule> files;
};

class UsageRun {
 public:
  /// What the run did to one file.
  struct FileRun {
    FileFigures figures{};
    AccessWalk reads{}, writes{};
  };
  using Files = std::unordered_map<uint32_t, FileRun>;

  /// `steps` are counted down; when there are none left, the run ends and `complete` is false.
  UsageRun(const trace::Trace& trace, const UsageTables& tables, NamedFiles& names, uint64_t& steps)
      : trace_(trace), tables_(tables), names_(names), steps_(steps), quiet_(tables.accesses, tables.files) {}

  /// Runs a tree of one thread: at most `limit` events, only those of `layer` if given. `leaps`: regular
  /// loops need not be run.
  void run(const std::vector<trace::Node>& nodes, uint32_t thread, const std::string* layer, uint64_t limit,
           bool leaps);

  const Files& files() const { return files_; }
  const std::unordered_map<uint32_t, FileFigures>& objects() const { return objects_; }
  const FileFigures& all() const { return all_; }
  const FileFigures& without_file() const { return without_file_; }
  bool complete() const { return complete_; }

 private:
  using Parameters = std::span<const int64_t>;
  /// What is remembered of a call.
  struct Past {
    int64_t begin = 0;     ///< of its last access
    uint64_t aligned = 0;  ///< accesses
  };

  void call(const trace::Expander::Event& event, Parameters parameters, FilePositions& positions);
  void count(const trace::Node& node, uint64_t times, FileFigures& figures) const;
  void access(const trace::Expander::Event& event, Parameters parameters, FilePositions& positions,
              FileFigures& figures, FileRun* run);
  /// The quiet loop of which the event begins turn `turn`, and its depth; null if there is none.
  const QuietLoop* begun(const trace::Expander& expander, const trace::Expander::Event& event, int64_t turn,
                         size_t& depth);
  /// Leaps over turns of a loop around the event, if it begins the third turn of one that is quiet; then
  /// `parameters` are those of the last turn.
  void leap(trace::Expander& expander, const trace::Expander::Event& event, std::vector<int64_t>& parameters,
            FilePositions& positions);
  bool movers_apart(const QuietLoop& loop);
  NamedFiles::Place place_of(const trace::Node& node);
  void skip(const QuietLoop& loop, uint64_t turns, FilePositions& positions);
  FileFigures figures_of(const QuietLoop& loop, size_t call, uint64_t turns) const;
  void move(const QuietLoop::Mover& mover, uint64_t turns, FilePositions& positions);
  uint64_t aligned_in(const QuietLoop& loop, const trace::Node& call, uint64_t turns) const;

  const trace::Trace& trace_;
  const UsageTables& tables_;
  NamedFiles& names_;
  uint64_t& steps_;
  QuietLoops quiet_;
  Files files_;
  std::unordered_map<uint32_t, FileFigures> objects_;
  std::unordered_map<const trace::Node*, Past> past_;
  std::unordered_map<const QuietLoop*, std::vector<uint64_t>> marks_;  ///< aligned accesses before a turn
  FileFigures all_, without_file_;
  bool complete_ = true;
};

}  // namespace refrain::measure
