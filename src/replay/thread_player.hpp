// Plays the streams of one thread. Whatever can be known of an event before it is met, is found out once per
// node of the tree; between two calls of the trace there is little left to do, and none of it takes a lock.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "replay/player.hpp"
#include "replay/replay_phases.hpp"
#include "replay/replayed_call.hpp"
#include "replay/think.hpp"
#include "replay/watchdog.hpp"
#include "trace/expand.hpp"

namespace refrain::replay {

/// Thrown to end a replay after an unexpected event.
struct Stopped {};

/// What all threads of the replay share.
struct Shared {
  const Play& play;
  const PlayOptions& options;
  Libraries& libraries;
  Root& root;
  World& world;
  bool has_families = false;  ///< of HDF5 files; see ThreadContext
  plan::AwaitedPaths awaited{};
  plan::TurnPlaces turns{};
  trace::Races races{};
  RecordedAbort abort{};
  Handles handles{};
  std::mutex complaints{};
  std::atomic<uint64_t> failures{0};
  std::string first_short{};     ///< the first call that returned less data than recorded
  Watchdog* watchdog = nullptr;  ///< if there is one
};

class ThreadPlayer {
 public:
  ThreadPlayer(Shared& shared, uint32_t thread, bool has_threads);

  void set_phases(Phases phases);
  /// Starts another round of all calls; all ranks have ended the last one.
  void begin_round() { stage_.turns.begin_round(); }
  /// The factor of recorded gaps; see pace.hpp.
  void set_pace(double pace) { pace_ = pace; }
  /// Called before the first event of each outermost node, with the stream and the node's number.
  using BeforeNode = std::function<void(const std::vector<trace::Node>& nodes, size_t node)>;
  void set_before_node(BeforeNode action) { before_node_ = std::move(action); }
  /// Called after the start and before the end of MPI: at the calls themselves, because their outermost node
  /// may contain calls that other ranks make outside of it.
  void set_around_mpi(std::function<void()> started, std::function<void()> ends) {
    mpi_started_ = std::move(started);
    mpi_ends_ = std::move(ends);
  }

  /// A part of a stream: a range of its outermost nodes. If a layer is given, only the first `events` calls
  /// of that layer in them.
  struct Part {
    size_t begin = 0, end = SIZE_MAX;
    std::string layer{};
    uint64_t events = UINT64_MAX;
    bool mpi_runs_before = false;  ///< calls that start MPI are left out
    bool mpi_runs_on = false;      ///< calls that end MPI are left out
  };
  /// Plays a part. Continues where the last part ended if this one follows it.
  void run(const std::vector<trace::Node>& nodes, const Part& part);

  Totals totals();
  /// A description of what this thread is doing; other threads ask for it when it hangs.
  std::string doing() const;

 private:
  /// A node of the tree, with everything that is known of its events in advance.
  struct Known {
    const trace::Node* node = nullptr;
    const trace::Signature* signature = nullptr;
    std::unique_ptr<Call> call{};
    size_t layer = 0;
    size_t phase = 0;
    bool is_raced = false;  ///< other ranks may decide the outcome
    bool starts_mpi = false, ends_mpi = false;
    double mean_ns = 0;  ///< recorded, of a gap at its pace and a call together
  };
  /// A stream and how far it has been played.
  struct Course {
    explicit Course(const std::vector<trace::Node>& n) : nodes(n) { rewind(); }
    void rewind();
    void advance() { ahead = events->next(); }
    /// The index of the next outermost node.
    size_t at() const { return ahead.node == nullptr ? nodes.size() : ahead.outermost; }

    const std::vector<trace::Node>& nodes;
    std::unique_ptr<trace::Expander> events{};
    trace::Expander::Event ahead{};
    std::vector<Known> known{};
    bool reported_damage = false;
  };

  Known& learn(const trace::Expander::Event& event);
  void make(Known& known, std::span<const int64_t> parameters);
  Outcome make_watched(Known& known);
  void count(const Known& known, const Outcome& outcome, uint64_t begun, uint64_t ended);
  void fail(const Known& known, std::span<const int64_t> parameters, const std::string& reason);
  void count_short(const Known& known, std::span<const int64_t> parameters, uint64_t missing);
  void complain(const std::string& what);

  Shared& shared_;
  ThreadContext stage_;
  ThinkTime think_;
  double pace_ = 1;
  TickRate clock_;
  Totals totals_;
  std::vector<uint64_t> layer_ticks_, phase_ticks_;
  std::vector<size_t> phase_of_node_;
  std::unique_ptr<Course> course_;
  BeforeNode before_node_;
  std::function<void()> mpi_started_, mpi_ends_;
  std::atomic<const trace::Signature*> current_{nullptr};
  uint64_t calls_ = 0;
  uint64_t last_ = 0;  ///< when the last call ended
};

}  // namespace refrain::replay
