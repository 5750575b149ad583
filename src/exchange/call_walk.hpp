// A trace call by call, as the formats of other tools want it: for every member of the run (a rank, or a
// process that is none), thread and stream the calls in order, with times put together from the gaps and
// durations that the trace keeps. The times are those of average executions, not of the single calls.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/expand.hpp"
#include "trace/trace.hpp"

namespace refrain::exchange {

/// How exports say where their times come from.
const char* times_note(const trace::Trace& trace);

/// One rank of one process, or one process that is no rank.
struct Member {
  const trace::Process* process = nullptr;
  size_t number = 0;               ///< of the process in the trace
  std::optional<uint32_t> rank{};  ///< none: not part of a parallel job
};

/// All members, in the order of processes, then ranks. O(ranks).
std::vector<Member> members_of(const trace::Trace& trace);
/// The members that are rank `rank` of the job; in a trace without ranks, the process with that number.
std::vector<Member> members_of(const trace::Trace& trace, uint32_t rank);
/// How many ranks there are for members_of(trace, rank).
uint64_t rank_count(const trace::Trace& trace);

/// The program of one member: no rank sets, numbers that are constants, timings kept.
trace::Process program_of(const Member& member);

/// Which calls: those of the program (empty), or all of a layer, outer and inner.
struct StreamChoice {
  std::string layer{};
  bool operator==(const StreamChoice&) const = default;
};

struct Call {
  const trace::Signature* signature = nullptr;  ///< null: the end
  uint32_t number = 0;                          ///< of the signature
  std::span<const int64_t> parameters{};        ///< valid until the next call
  uint32_t thread = 0;
  uint64_t gap_ns = 0;    ///< since the end of the call before
  uint64_t start_ns = 0;  ///< since the process began
  uint64_t duration_ns = 0;
};

/// The calls of one thread of a program. Memory is that of the tree.
class CallWalk {
 public:
  /// `program` is what program_of() returned and, like the trace, outlives the walk.
  CallWalk(const trace::Trace& trace, const trace::Process& program, uint32_t thread, StreamChoice choice);
  ~CallWalk();
  CallWalk(CallWalk&&) noexcept;
  CallWalk& operator=(CallWalk&&) noexcept = delete;

  Call next();
  /// The values of further calls are missing from the trace.
  bool damaged() const { return damaged_; }

 private:
  /// A tree to run: at most `left` events, of the layer only if `filtered`.
  struct Source {
    std::unique_ptr<trace::Expander> expander;
    bool filtered = false;
    uint64_t left = UINT64_MAX;
  };
  void add(const trace::Stream& stream, bool filtered, uint64_t left);

  const trace::Trace& trace_;
  uint32_t thread_;
  std::string layer_;
  std::vector<Source> sources_;
  size_t at_ = 0;
  uint64_t now_ns_ = 0;
  bool damaged_ = false;
};

/// The threads of a program, ascending.
std::vector<uint32_t> threads_of(const trace::Process& program);

/// The calls of all threads of a program, in the order of their times.
class MemberWalk {
 public:
  MemberWalk(const trace::Trace& trace, const trace::Process& program, const StreamChoice& choice);
  Call next();
  bool damaged() const { return damaged_; }

 private:
  struct Thread {
    CallWalk walk;
    Call ahead{};
    std::vector<int64_t> parameters{};  ///< of `ahead`, which other threads' calls must not end
  };
  void advance(Thread& thread);

  std::vector<Thread> threads_;
  size_t given_ = SIZE_MAX;  ///< whose call was given last
  bool damaged_ = false;
};

}  // namespace refrain::exchange
