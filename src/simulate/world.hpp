// Applications while they are simulated: members (groups of ranks) that go through their operations, flows
// that carry these out, points where members wait for each other. The engine calls handle().
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simulate/aggregate.hpp"
#include "simulate/coordination.hpp"
#include "simulate/engine.hpp"
#include "simulate/group_walk.hpp"
#include "simulate/simulate.hpp"
#include "simulate/stages.hpp"
#include "simulate/tally.hpp"

namespace refrain::simulate {

class World {
 public:
  World(const Machine& machine, const std::vector<Application>& applications,
        const SimulationOptions& options);

  uint32_t stages() const { return stages_.count(); }
  /// For run_engine().
  void handle(Engine& engine, const std::vector<size_t>& done);
  Outcome outcome() const;

 private:
  /// What a member does when its flow is done.
  enum class Step : uint8_t { next, arrive, pass, leave };

  struct Member {
    uint32_t application = 0;
    std::unique_ptr<GroupWalk> walk{};
    Placement placement{};
    Operation operation{};
    Step step = Step::next;
    double call_s = 0;     ///< when it made the call
    bool blocked = false;  ///< waits for other members
    bool ended = false;
    std::optional<Turn> turn{};  ///< that it began last
    double turn_s = 0;
    std::unordered_map<uint64_t, Continued> continued{};  ///< by place: as it was the last time
    uint64_t steps = 0;                                   ///< operations that it has begun
    Turn leapt{};                                         ///< to which it has leapt last
    int reuse = 0;  ///< so many transfers in that loop are as they were the last time
  };

  /// A collective call: members that have arrived at it.
  struct Point {
    std::vector<size_t> participants{};  ///< ascending
    size_t gone = 0;                     ///< of them
    std::vector<size_t> waiting{};
    bool is_complete() const { return !waiting.empty() && waiting.size() + gone >= participants.size(); }
  };

  /// The application at the beginning of a turn that all its members make.
  struct Lap {
    int64_t index = 0;
    double at_s = 0;
    double cached = 0, drained_s = 0;   ///< as those of Running
    std::vector<double> members_s{};    ///< of those that turn, before at_s
    std::vector<uint64_t> elsewhere{};  ///< of the others, how many operations they have begun
    Tally tally;
    std::vector<TargetOutcome> targets{};
  };

  enum class Lease : uint8_t { none, asked, held };

  struct Running {
    const Application* setup = nullptr;
    FileTable files;
    Placement placement{};  ///< of all ranks
    Aggregation aggregation{};
    Tally tally;
    std::unordered_map<uint64_t, Point> points{};
    std::map<size_t, std::deque<Lap>> laps{};  ///< by depth
    size_t members = 0, ended = 0;
    double start_s = 0, end_s = 0;
    Lease lease = Lease::none;
    std::vector<std::function<void()>> at_gate{};
    double asked_s = 0, waited_s = 0;
    uint64_t transfers = 0;  ///< under way, or at the gate
    uint64_t rests = 0;      ///< counts times in which it had none
    double cached = 0;       ///< bytes in its nodes' caches
    double drained_s = 0;    ///< how long those that have left them took, one by one
  };

  struct Flow {
    enum class Kind : uint8_t { pause, metadata, transfer, exchange, rest, drain };
    Kind kind = Kind::pause;
    uint32_t application = 0;
    std::vector<size_t> members{};
    double start_s = -1;     ///< of a transfer, not known until it is started, or a drain
    uint64_t transfers = 1;  ///< that it counts for
    Volume volume{};
    std::vector<Work> works{};
    double delay_s = 0, least_s = 0;
    std::vector<Work> then{};  ///< exchange: the transfer that follows
    double then_least_s = 0;
    uint32_t writers = 1;  ///< of that
    double amount = 0;     ///< drain: bytes; rest: its number
  };

  double now() const { return engine_->now() + skipped_s_; }
  void begin();
  void finish(size_t number);
  void follow(size_t member);
  void advance(size_t member);
  void spend(size_t member);
  void pause(size_t member, double seconds, Step step);
  void leave(size_t member);
  void leave_coordination(uint32_t application);
  void request(Flow flow);
  void flush();
  void launch(Flow flow);

  // world_merge.cpp
  void merge_requests();
  static uint64_t shape_of(const Flow& flow);
  static bool is_alike(const Flow& a, const Flow& b);

  // world_transfers.cpp
  void transfer(size_t member, double delay_s);
  void move(size_t member, double delay_s);
  Continued continues(Member& member, Continued found) const;
  void add_once(const Member& member, const SimulatedFile& file, int64_t offset);
  bool absorb(Flow& flow, const Placement& nodes, double writers);
  void collective_transfer(uint32_t application, const std::vector<size_t>& members);
  Spread offsets_of(const Operation& operation, SimulatedFile& file) const;
  void count_targets(const Access& access);
  void through_gate(uint32_t application, std::function<void()> go);
  void ended_transfer(uint32_t application, uint64_t count);
  void settle();

  // world_points.cpp
  void arrive(size_t member);
  Point& point_of(size_t member);
  void release(uint32_t application, Point& point);
  void release_stuck();

  // world_leaps.cpp
  void note_turn(size_t member);
  static bool takes_part(const Member& member, uint32_t application, const Turn& turn);
  bool turns_together(uint32_t application, const Turn& turn, Lap& lap) const;
  size_t period_of(const std::deque<Lap>& laps) const;
  void leap(uint32_t application, const Turn& turn, size_t period, int64_t turns);

  const Machine& machine_;
  const SimulationOptions& options_;
  Stages stages_;
  std::vector<Running> running_;
  std::vector<Member> members_;
  std::vector<Flow> flows_;
  std::vector<size_t> free_flows_;
  std::vector<Flow> requests_;
  std::deque<size_t> ready_;
  TargetLoads loads_;
  std::vector<TargetOutcome> targets_;
  std::unique_ptr<Coordination> coordination_;
  Engine* engine_ = nullptr;
  bool begun_ = false;
  size_t live_flows_ = 0;
  size_t live_applications_ = 0;
  double skipped_s_ = 0;
  uint64_t skipped_turns_ = 0;
  uint64_t flow_count_ = 0;
  uint64_t operations_ = 0;
  uint64_t stuck_ = 0;
};

}  // namespace refrain::simulate
