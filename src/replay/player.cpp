#include "replay/player.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include "plan/inputs.hpp"
#include "plan/levels.hpp"
#include "plan/processes.hpp"
#include "plan/threads.hpp"
#include "replay/pace.hpp"
#include "replay/thread_player.hpp"
#include "trace/at_rank.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {
namespace {

/// At most this many events are examined to find which ranks make files for others.
constexpr uint64_t most_looked_at = 500'000;

using trace::Stream;

const Stream* find_stream(const trace::Process& process, uint32_t thread, const std::string& layer) {
  for (const Stream& s : process.streams)
    if (s.thread == thread && s.layer == layer) return &s;
  return nullptr;
}

void add(Totals& all, const Totals& part) {
  for (size_t l = 0; l < all.layers.size(); ++l) {
    all.layers[l].calls += part.layers[l].calls;
    all.layers[l].read += part.layers[l].read;
    all.layers[l].written += part.layers[l].written;
    all.layers[l].seconds = std::max(all.layers[l].seconds, part.layers[l].seconds);
  }
  all.surprises += part.surprises;
  all.races += part.races;
  all.short_reads += part.short_reads;
  all.bytes_missing += part.bytes_missing;
}

/// The whole replay of a rank: its threads, when they start and end, and the final sums.
class ProcessPlayer {
 public:
  ProcessPlayer(Shared& shared, const trace::Process& mine) : shared_(shared), mine_(mine) {
    std::set<uint32_t> threads;
    for (const Stream& s : mine.streams) threads.insert(s.thread);
    for (const Stream& s : plan::silent_threads(mine)) threads.insert(s.thread);
    if (!threads.empty()) threads.insert(0);  // the main thread, even if it made no calls
    threads_.assign(threads.begin(), threads.end());
    if (threads_.size() > 1 || shared.world.place().size > 1) refrain_wall_share();
    const trace::Process whole = plan::with_times_of(shared.play.process, shared.play.rank);
    for (uint32_t t : threads_) {
      players_.push_back(std::make_unique<ThreadPlayer>(shared, t, threads_.size() > 1));
      if (const Stream* s = find_stream(whole, t, shared.options.layer))
        players_.back()->set_pace(
            pace(shared.play.trace, *s, trace::ranks_of(*s, whole), shared.play.rank, whole.elapsed_ns));
    }
  }

  Totals run() {
    if (players_.empty()) {
      if (shared_.options.after_calls) shared_.options.after_calls();
      return {};
    }
    begun_ = monotonic_ns();
    watch();
    try {
      if (shared_.options.layer.empty())
        play_outer();
      else
        play_layer();
      sum_up();
    } catch (const Stopped&) {
      stopped_ = true;
      sum_up();
    }
    watchdog_.reset();
    if (shared_.world.place().rank == 0 && !shared_.awaited.empty())
      Turns(shared_.root.folder(), shared_.turns, 0).remove();
    totals_.failures = std::max<uint64_t>(totals_.failures, shared_.failures);
    if (stopped_) shared_.world.abandon();
    return totals_;
  }

 private:
  [[noreturn]] void give_up(const Error& error) {
    shared_.options.complain(error.message);
    throw Stopped{};
  }

  /// Ends the replay if a call waits for a rank that ended early without making that call.
  void watch() {
    trace::RankSet early = plan::early_ranks(shared_.play.trace);
    if (early.empty() || shared_.world.place().size == 1) return;
    Quiet quiet;  // its thread is none of the trace's
    watchdog_ = std::make_unique<Watchdog>(shared_.options.patience_seconds, [this, early] {
      std::string call = "what it does";
      for (const auto& player : players_)
        if (std::string now = player->doing(); !now.empty()) call = now;
      shared_.options.complain(fmt::format(
          "{} has not come back for {:.0f} s. It may be waiting for others, and ranks {} ended early "
          "in the recorded program; the replay ends here",
          call, shared_.options.patience_seconds, early.text()));
      _exit(1);
    });
    shared_.watchdog = watchdog_.get();
  }

  /// MPI is started and ended once; everything between is repeated as often as requested. Other threads run
  /// between the nodes of the main thread that they depend on.
  void play_outer() {
    const Stream nothing;
    const Stream* main = find_stream(mine_, threads_.front(), {});
    if (main == nullptr) main = &nothing;
    std::vector<const Stream*> others;
    for (size_t i = 1; i < threads_.size(); ++i)
      if (const Stream* s = find_stream(mine_, threads_[i], {})) others.push_back(s);
    auto times = plan::thread_times(shared_.play.trace, *main, others);
    if (!times) give_up(times.error());
    if (const Stream* whole = find_stream(shared_.play.process, threads_.front(), {}))
      players_.front()->set_phases(divide(shared_.play.trace, *whole,
                                          trace::ranks_of(*whole, shared_.play.process), shared_.play.rank));
    auto init = plan::find_start(shared_.play.trace, main->nodes);
    auto finalize = plan::find_call(shared_.play.trace, main->nodes, api::Trait::ends_mpi);
    size_t first = init ? *init + 1 : 0;
    size_t last = std::max(first, finalize ? *finalize : main->nodes.size());
    players_.front()->set_before_node([&](const auto&, size_t node) {
      if (node >= times->start && node < last) start_others();
      if (node >= times->join) join_others();
    });
    ThreadPlayer& player = *players_.front();
    player.set_around_mpi(
        [this] {
          if (Result<void> joined = shared_.world.join(); !joined) give_up(joined.error());
        },
        [this] { sum_up(); });
    player.run(main->nodes, {.end = first});
    for (uint64_t n = 0; n < shared_.options.repeat; ++n) {
      started_ = false;
      if (n > 0 && !shared_.turns.of.empty()) {
        if (shared_.world.is_on()) shared_.world.meet();
        for (auto& each : players_) each->begin_round();
      }
      player.run(main->nodes, {.begin = first, .end = last});
      start_others();
      join_others();
    }
    player.run(main->nodes, {.begin = last});
    if (shared_.options.after_calls) shared_.options.after_calls();
  }

  /// The inner and outer calls of one layer, each thread by itself.
  void play_layer() {
    start_others();
    players_.front()->set_around_mpi({}, [this] { sum_up(); });
    play_layer_of(0);
    join_others();
  }

  void play_layer_of(size_t i) {
    const std::string& name = shared_.options.layer;
    const Stream* outer = find_stream(mine_, threads_[i], {});
    const Stream* inner = find_stream(mine_, threads_[i], name);
    uint64_t prefix = inner == nullptr ? UINT64_MAX : static_cast<uint64_t>(inner->prefix.constant());
    for (uint64_t n = 0; n < shared_.options.repeat; ++n) {
      // MPI starts and ends once.
      ThreadPlayer::Part inner_calls{.mpi_runs_before = n > 0, .mpi_runs_on = n + 1 < shared_.options.repeat};
      ThreadPlayer::Part outer_calls = inner_calls;
      outer_calls.layer = name;
      outer_calls.events = prefix;
      if (outer != nullptr) players_[i]->run(outer->nodes, outer_calls);
      if (inner != nullptr) players_[i]->run(inner->nodes, inner_calls);
    }
  }

  void start_others() {
    if (started_) return;
    started_ = true;
    for (size_t i = 1; i < players_.size(); ++i)
      running_.emplace_back([this, i] {
        try {
          const Stream* outer = find_stream(mine_, threads_[i], {});
          if (!shared_.options.layer.empty())
            play_layer_of(i);
          else if (outer != nullptr)
            players_[i]->run(outer->nodes, {});
        } catch (const Stopped&) {
          stopped_ = true;
        }
      });
  }

  void join_others() {
    for (std::thread& t : running_) t.join();
    running_.clear();
    if (stopped_) throw Stopped{};
  }

  /// Once, while MPI is still on.
  void sum_up() {
    for (std::thread& t : running_) t.join();
    running_.clear();
    if (summed_) return;
    summed_ = true;
    totals_ = players_.front()->totals();
    for (size_t i = 1; i < players_.size(); ++i) add(totals_, players_[i]->totals());
    totals_.failures = shared_.failures;
    totals_.first_short = shared_.first_short;
    totals_.abort = shared_.abort;
    totals_.ends_by_abort = shared_.abort.due;
    totals_.seconds = static_cast<double>(monotonic_ns() - begun_) * 1e-9;
    if (stopped_ || !shared_.world.is_on()) return;
    if (Result<void> added = shared_.world.add_up(totals_); !added) give_up(added.error());
    if (shared_.options.summed_up) shared_.options.summed_up(totals_);
  }

  Shared& shared_;
  const trace::Process& mine_;
  std::vector<uint32_t> threads_;
  std::vector<std::unique_ptr<ThreadPlayer>> players_;
  std::vector<std::thread> running_;
  std::unique_ptr<Watchdog> watchdog_;
  std::atomic<bool> stopped_{false};
  bool started_ = false;
  bool summed_ = false;
  uint64_t begun_ = 0;
  Totals totals_;
};

}  // namespace

Totals play(const Play& play, const PlayOptions& options, Libraries& libraries, Root& root, World& world) {
  Shared shared{play, options, libraries, root, world};
  shared.has_families = std::any_of(
      play.trace.signatures.begin(), play.trace.signatures.end(),
      [](const trace::Signature& s) { return api::traits_of(s.function).has(api::Trait::may_open_several); });
  bool all_ranks = world.place().size == play.trace.nprocs && play.trace.nprocs > 1;
  bool threads = std::any_of(play.process.streams.begin(), play.process.streams.end(),
                             [](const Stream& s) { return s.thread > 0; });
  if (options.layer.empty() &&
      (all_ranks || (threads && world.place().size == std::max(play.trace.nprocs, 1u)))) {
    plan::Inputs found = plan::find_inputs(play.trace, play.process, most_looked_at);
    shared.awaited = found.awaited;
    shared.turns = found.turns;
    shared.races = found.races;
  }
  trace::Process mine =
      trace::at_rank(plan::with_times_of(play.process, play.rank), play.rank, trace::Times::keep);
  return ProcessPlayer(shared, mine).run();
}

}  // namespace refrain::replay
