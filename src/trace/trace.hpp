// The one representation: a trace is a small program. Per process and thread, a tree of loops over events
// whose integers are elastic values. A process may stand for many ranks: then nodes say which ranks run
// them, and numbers may depend on the rank; at_rank.hpp gives the program of one rank. Everything Refrain
// does reads or writes this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/histogram.hpp"
#include "trace/communication.hpp"
#include "trace/heat_map.hpp"
#include "trace/rank_set.hpp"
#include "trace/signature.hpp"
#include "trace/time_law.hpp"
#include "trace/value.hpp"

namespace refrain::trace {

/// When an event ran, over all its executions. Estimates after folding; see Histogram::split.
struct Timing {
  Histogram gap{};                ///< end of the previous event of the thread to start of this one
  Communication communication{};  ///< the part of all gaps together that was spent communicating
  Histogram duration{};           ///< inside the call

  void merge(const Timing& other) {
    gap.merge(other.gap);
    communication.add(other.communication);
    duration.merge(other.duration);
  }
  /// Moves the times of `executions` executions, taken to be average ones, into a timing of their own.
  Timing split(uint64_t executions) {
    Communication part = communication.split(executions, gap.count());
    return {gap.split(executions), part, duration.split(executions)};
  }
  bool operator==(const Timing&) const = default;
};

enum class NodeKind : uint8_t {
  event,
  loop,    ///< body, `count` times; a conditional is a loop that runs 0 or 1 times
  choice,  ///< runs exactly one of `body`: number `count` (phases in an order without a rule)
  group,   ///< body once; only as an arm of a choice
};

struct Node {
  NodeKind kind = NodeKind::event;
  RankSet ranks{};                  ///< who executes it; empty: everyone who executes what encloses it
  uint32_t signature = 0;           ///< event
  Value count{};                    ///< loop, choice
  std::vector<Value> parameters{};  ///< event: one per parameter of the signature
  std::vector<Node> body{};         ///< loop, choice, group
  Timing timing{};                  ///< event; in a scale-free trace, that of the largest run
  std::shared_ptr<const TimingLaw> time_law{};  ///< event of a scale-free trace; null: times are not known
};

/// What a reader accepts, and so what a writer keeps to.
struct Limits {
  static constexpr size_t depth = 64;
  static constexpr uint64_t trips = uint64_t{1} << 60;
};

/// The events of one thread, outer or of one layer.
struct Stream {
  uint32_t thread = 0;
  std::string layer{};  ///< empty: the outer stream
  RankSet ranks{};      ///< who has such a stream; empty: everyone of the process
  Number prefix{};  ///< layer stream: the first `prefix` events are those of this layer in the outer stream
  std::vector<Node> nodes{};
};

enum class Ending : uint8_t {
  exited,    ///< ran its exit handlers
  replaced,  ///< became another program by exec
  early,     ///< killed, crashed, or left by _exit
};

/// Events that could not be kept. Zero unless something went wrong.
struct Loss {
  uint64_t no_space = 0;     ///< the part could not be written
  uint64_t in_handlers = 0;  ///< made by a signal handler that interrupted the recorder
  uint64_t abandoned = 0;    ///< calls left by longjmp
  uint64_t unknown = 0;      ///< other: memory, table overflow
  uint64_t total() const { return no_space + in_handlers + abandoned + unknown; }
  bool operator==(const Loss&) const = default;
};

/// What one rank of a merged process lost.
struct RankLoss {
  uint32_t rank = 0;
  Loss loss{};
  bool operator==(const RankLoss&) const = default;
};

/// What a process does with others between its calls, those of its main thread.
struct Step {
  enum class Kind : uint8_t {
    starts,   ///< process `number`
    becomes,  ///< by exec; process `number` goes on in its place
    awaits,   ///< the end of process `number`, which it started
    tells,    ///< has written to a pipe, or closed it; `number` says which such step hears of it
    hears,    ///< has read what was written, or that nothing more is
  };
  Kind kind = Kind::starts;
  uint64_t at = 0;  ///< after so many calls
  uint32_t number = 0;
  bool operator==(const Step&) const = default;
};

/// One process, or all those of a parallel job that ran the same program with the same arguments. Merged
/// ones have no pid; they started when the first and took as long as the longest of them did.
struct Process {
  RankSet ranks{};  ///< empty when the process is not part of a parallel job
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
  std::string program{};  ///< path of the executable
  std::vector<std::string> arguments{};
  std::string directory{};  ///< working directory at the start
  uint64_t start_ns = 0;    ///< since the epoch
  uint64_t elapsed_ns = 0;  ///< start to the end of the last event
  TimeModel elapsed_law{};  ///< the same in a scale-free trace; zero: not known
  Ending ending = Ending::early;
  RankSet ended_early{};           ///< those that did if the others did not
  Loss loss{};                     ///< of all ranks together
  std::vector<RankLoss> losses{};  ///< by rank, if there are several; only ranks that lost something
  uint64_t empty_tests = 0;        ///< questions whether a request is done, when it wasn't: not events
  HeatMap heat{};                  ///< when its outer calls happened; none in scale-free traces
  std::vector<Step> steps{};       ///< in order; none if the processes of the trace are ranks
  std::vector<Stream> streams{};
};

/// Where a scale-free trace isn't certain: two expressions that agree on every run it was made from. At a
/// number of ranks where they differ, on ranks that are in `ranks`, the trace may be wrong.
struct Doubt {
  std::string where{};   ///< event and argument
  std::string reason{};  ///< why another answer is possible
  RankExpression chosen{};
  RankExpression other{};
  RankExpression ranks = RankExpression::constant(1);  ///< a law, as in RankSet::where
};

struct Trace {
  /// Version 12 is written where processes start each other. Of the others, version 11 is written where there
  /// are heat maps, as in all that is recorded, version 10
  /// is written where a trace of one number of ranks has logarithms; 9 where calls make up names
  /// or write what differs from run to run; 8 where there are powers; 7 for scale-free traces with names of
  /// which there are as many as follow from the number of ranks; 6 where something stands closely
  /// (Closeness). Otherwise 5 for scale-free traces with arguments that are lists of a length that depends on
  /// the number of ranks, 4 for others with laws of times, 3 for those without, 2 for all that aren't
  /// scale-free.
  static constexpr uint32_t format_version = 12;
  /// How a note begins that says of which recorded command the recorded program is a kernel.
  static constexpr std::string_view kernel_note = "kernel of: ";
  /// How a note begins that says that times were not measured.
  static constexpr std::string_view estimates_note = "times are estimates: ";

  std::string command{};  ///< as given to `refrain record`
  std::string host{};
  std::string recorder{};             ///< version of Refrain that recorded
  std::vector<std::string> layers{};  ///< those that were recorded
  std::vector<std::string> notes{};   ///< what a reader must know: processes that could not be recorded, …
  uint32_t nprocs = 0;                ///< size of the parallel job, 0 if it was none
  std::vector<uint32_t> sizes{};      ///< scale-free: the numbers of ranks it was made from; else empty
  std::vector<Doubt> doubts{};        ///< scale-free
  std::vector<Template> templates{};
  std::vector<Column> lists{};  ///< long lists of integers, whole
  std::vector<Signature> signatures{};
  std::vector<Process> processes{};

  /// Valid for any number of ranks: its numbers and rank sets are functions of that. at_size makes a trace of
  /// one number of ranks of it, which is what everything else works on.
  bool scale_free() const { return !sizes.empty(); }
};

}  // namespace refrain::trace
