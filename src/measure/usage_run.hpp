// The calls of one rank, or of one process, on their way into the figures of files: a run of its streams.
#pragma once

#include <map>
#include <unordered_map>

#include "measure/access_pattern.hpp"
#include "measure/file_positions.hpp"
#include "measure/file_usage.hpp"
#include "measure/named_files.hpp"
#include "measure/quiet_loop.hpp"
#include "measure/selections.hpp"
#include "trace/expand.hpp"

namespace refrain::measure {

/// What is the same for all runs.
struct UsageTables {
  explicit UsageTables(const trace::Trace& trace)
      : accesses(access_rules(trace.signatures)),
        files(file_rules(trace.signatures)),
        selections(selection_rules(trace.signatures, accesses)) {}
  std::vector<AccessRule> accesses;
  std::vector<FileRule> files;
  std::vector<SelectionRule> selections;
};

class UsageRun {
 public:
  /// What the run did to one file.
  struct FileRun {
    FileFigures figures{};
    AccessWalk reads{}, writes{};
  };
  using Files = std::unordered_map<uint32_t, FileRun>;

  /// An array in a file: a dataset, a variable; or all of a file, seen by element.
  struct ArrayKey {
    uint32_t file, object;
    int64_t variable;
    auto operator<=>(const ArrayKey&) const = default;
  };
  struct ArrayRun {
    SlabWalk reads{}, writes{};
  };
  using Arrays = std::map<ArrayKey, ArrayRun>;

  /// `steps` are counted down; when there are none left, the run ends and `complete` is false.
  UsageRun(const trace::Trace& trace, const UsageTables& tables, NamedFiles& names, uint64_t& steps)
      : trace_(trace),
        tables_(tables),
        names_(names),
        steps_(steps),
        quiet_(tables.accesses, tables.files, tables.selections) {}

  /// Runs a tree of one thread: at most `limit` events, only those of `layer` if given. `leaps`: regular
  /// loops need not be run.
  void run(const std::vector<trace::Node>& nodes, uint32_t thread, const std::string* layer, uint64_t limit,
           bool leaps);

  const Files& files() const { return files_; }
  const Arrays& arrays() const { return arrays_; }
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

  /// How far everything was when a turn of a loop began.
  struct Mark {
    std::vector<uint64_t> aligned{};  ///< accesses, by call of the loop
    Selections::Positions positions{};
    std::map<ArrayKey, ArrayRun> arrays{};
    std::map<uint32_t, FileRun> files{};  ///< whose accesses are no movers
  };

  void call(const trace::Expander::Event& event, Parameters parameters, FilePositions& positions);
  void count(const trace::Node& node, uint64_t times, FileFigures& figures) const;
  void add(const trace::Node& node, NamedFiles::Place place, uint64_t times, FileFigures figures);
  void access(const trace::Expander::Event& event, Parameters parameters, FilePositions& positions,
              FileFigures& figures, NamedFiles::Place place);
  void part(const SelectionRule& rule, const Selections::Part& part, NamedFiles::Place place, bool writes,
            uint64_t bytes);
  static ArrayKey array_key(const SelectionRule& rule, NamedFiles::Place place, int64_t variable);
  static int64_t number_of_view(const Slab& slab);
  void mark(const QuietLoop& loop);
  void leap_parts(const QuietLoop& loop, uint64_t turns);
  /// The quiet loop of which the event begins an early turn but the first, and its depth; null if there is
  /// none.
  const QuietLoop* begun(const trace::Expander& expander, const trace::Expander::Event& event, size_t& depth);
  /// Leaps over turns of a loop around the event, if it is quiet and has shown what it does; then
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
  std::unordered_map<const QuietLoop*, Mark> marks_;
  Selections selections_;
  Arrays arrays_;
  FileFigures all_, without_file_;
  bool complete_ = true;
};

}  // namespace refrain::measure
