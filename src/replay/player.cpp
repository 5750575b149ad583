#include "replay/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

#include "api/table.hpp"
#include "base/clock.hpp"
#include "plan/threads.hpp"
#include "replay/call.hpp"
#include "replay/phases.hpp"
#include "replay/think.hpp"
#include "replay/trouble.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"
#include "trace/text.hpp"

namespace refrain::replay {
namespace {

using trace::Node;
using trace::Stream;

/// How often the player tells that it is alive.
constexpr uint64_t calls_per_sign = 4096;

/// Thrown to end a replay that met what should not be.
struct Stopped {};

/// What all threads of the replay share.
struct Shared {
  const Play& play;
  const PlayOptions& options;
  Libraries& libraries;
  Root& root;
  World& world;
  Handles handles{};
  std::mutex complaints{};
  std::atomic<uint64_t> failures{0};
};

/// Plays the streams of one thread.
class ThreadPlayer {
 public:
  ThreadPlayer(Shared& shared, uint32_t thread, bool has_threads)
      : shared_(shared),
        stage_{shared.play.trace,
               shared.libraries,
               shared.handles,
               shared.root,
               Buffers(shared.options.fill),
               thread,
               has_threads,
               !shared.options.layer.empty()},
        think_(shared.options.think, shared.options.seed * 1000003 + shared.play.rank * 4099 + thread) {
    for (std::string_view layer : api::layers()) totals_.layers.push_back({.layer = std::string(layer)});
  }

  void set_phases(Phases phases) {
    for (std::string& name : phases.names) totals_.phases.push_back({.name = std::move(name)});
    phase_of_node_ = std::move(phases.of_node);
  }
  /// Called with the number of each outermost node before its first event.
  void set_before_node(std::function<void(size_t)> action) { before_node_ = std::move(action); }

  /// A part of a stream: outermost nodes, and of their events the first ones that belong to a layer. What
  /// MPI-IO needs of MPI counts as MPI-IO.
  struct Part {
    size_t begin = 0, end = SIZE_MAX;
    std::string layer{};
    uint64_t events = UINT64_MAX;
  };
  void run(const std::vector<Node>& nodes, const Part& part) {
    learn(nodes);
    trace::Expander events(nodes);
    size_t before = SIZE_MAX;
    for (uint64_t done = 0; done < part.events;) {
      trace::Expander::Event event = events.next();
      if (event.node == nullptr) break;
      Known& known = known_.at(event.node);
      if (known.top < part.begin || !belongs(known, part.layer)) continue;
      if (known.top >= part.end) break;
      if (known.top != before && before_node_) before_node_(known.top);
      before = known.top;
      make(known, event.parameters);
      ++done;
    }
    if (events.damaged()) complain("values are missing from the trace");
    think_.settle();
  }

  Totals& totals() { return totals_; }

 private:
  /// An event of the tree, with all that can be known before it is met.
  struct Known {
    const trace::Signature* signature = nullptr;
    const Node* node = nullptr;
    std::unique_ptr<Call> call{};
    size_t layer = 0;
    size_t top = 0;  ///< number of the outermost node that holds it
    size_t phase = 0;
    double mean_ns = 0;  ///< recorded, of gap and call together
  };

  void learn(const std::vector<Node>& nodes) {
    for (size_t i = 0; i < nodes.size(); ++i) learn(nodes[i], i);
  }

  void learn(const Node& node, size_t top) {
    for (const Node& inner : node.body) learn(inner, top);
    if (node.kind != trace::NodeKind::event) return;
    Known& known = known_[&node];
    known.node = &node;
    known.signature = &shared_.play.trace.signatures[node.signature];
    known.top = top;
    known.phase = top < phase_of_node_.size() ? phase_of_node_[top] : 0;
    auto mean = [](const Histogram& h) {
      return h.count() == 0 ? 0 : static_cast<double>(h.sum_ns()) / static_cast<double>(h.count());
    };
    known.mean_ns = mean(node.timing.gap) + mean(node.timing.duration);
    for (size_t l = 0; l < totals_.layers.size(); ++l)
      if (totals_.layers[l].layer == known.signature->layer) known.layer = l;
  }

  static bool belongs(const Known& known, const std::string& layer) {
    const std::string& own = known.signature->layer;
    return layer.empty() || own == layer || (layer == "mpiio" && own == "mpi");
  }

  void make(Known& known, std::span<const int64_t> parameters) {
    think_.wait(known.node->timing.gap);
    Outcome outcome;
    uint64_t begun = monotonic_ns(), ended = begun;
    try {
      if (!known.call) known.call = std::make_unique<Call>(stage_, *known.signature);
      known.call->prepare(parameters);
      begun = monotonic_ns();
      outcome = known.call->make();
      ended = monotonic_ns();
    } catch (const Trouble& trouble) {
      if (!known.signature->error.empty()) return;  // it failed then, and can't even be made now
      outcome = {.failed = true, .reason = trouble.reason};
    }
    count(known, outcome, ended - begun);
    bool expected = !known.signature->error.empty();
    if (!outcome.failed) totals_.surprises += expected;
    if (outcome.failed && !expected) fail(known, parameters, outcome.reason);
  }

  void count(const Known& known, const Outcome& outcome, uint64_t ns) {
    LayerTotal& layer = totals_.layers[known.layer];
    ++layer.calls;
    layer.read += outcome.read;
    layer.written += outcome.written;
    layer.seconds += static_cast<double>(ns) * 1e-9;
    if (known.phase < totals_.phases.size()) {
      uint64_t now = monotonic_ns();
      PhaseTotal& phase = totals_.phases[known.phase];
      phase.recorded_seconds += known.mean_ns * 1e-9;
      phase.seconds += static_cast<double>(now - last_) * 1e-9;
      phase.bytes += outcome.read + outcome.written;
      last_ = now;
    }
    if (++calls_ % calls_per_sign == 0 && shared_.options.progress) {
      Quiet quiet;
      shared_.options.progress(calls_);
    }
  }

  void fail(const Known& known, std::span<const int64_t> parameters, const std::string& reason) {
    ++shared_.failures;
    complain(
        fmt::format("{}: {}", trace::event_text(shared_.play.trace, *known.signature, parameters), reason));
    if (!shared_.options.keep_going) throw Stopped{};
  }

  void complain(const std::string& what) {
    Quiet quiet;
    std::lock_guard lock(shared_.complaints);
    if (shared_.options.complain) shared_.options.complain(what);
  }

  Shared& shared_;
  Stage stage_;
  ThinkTime think_;
  Totals totals_;
  std::vector<size_t> phase_of_node_;
  std::unordered_map<const Node*, Known> known_;
  std::function<void(size_t)> before_node_;
  uint64_t calls_ = 0;
  uint64_t last_ = monotonic_ns();
};

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
}

/// The whole replay of a rank: its threads, when they start and end, and the sums at the end.
class ProcessPlayer {
 public:
  ProcessPlayer(Shared& shared, const trace::Process& mine) : shared_(shared), mine_(mine) {
    std::set<uint32_t> threads;
    for (const Stream& s : mine.streams) threads.insert(s.thread);
    threads_.assign(threads.begin(), threads.end());
    for (uint32_t t : threads_)
      players_.push_back(std::make_unique<ThreadPlayer>(shared, t, threads_.size() > 1));
  }

  Totals run() {
    if (players_.empty()) return {};
    begun_ = monotonic_ns();
    try {
      if (shared_.options.layer.empty())
        play_outer();
      else
        play_layer();
    } catch (const Stopped&) {
      stopped_ = true;
    }
    sum_up();
    totals_.failures = std::max<uint64_t>(totals_.failures, shared_.failures);
    if (stopped_) shared_.world.abandon();
    return totals_;
  }

 private:
  /// What starts and ends MPI is done once, all between as often as asked for; other threads run while the
  /// main one is where they need it to be.
  void play_outer() {
    const Stream nothing;
    const Stream* main = find_stream(mine_, threads_.front(), {});
    if (main == nullptr) main = &nothing;
    std::vector<const Stream*> others;
    for (size_t i = 1; i < threads_.size(); ++i)
      if (const Stream* s = find_stream(mine_, threads_[i], {})) others.push_back(s);
    auto times = plan::thread_times(shared_.play.trace, *main, others);
    if (!times) {
      shared_.options.complain(times.error().message);
      throw Stopped{};
    }
    if (const Stream* whole = find_stream(shared_.play.process, threads_.front(), {}))
      players_.front()->set_phases(divide(shared_.play.trace, *whole,
                                          trace::ranks_of(*whole, shared_.play.process), shared_.play.rank));
    auto init = plan::find_call(shared_.play.trace, main->nodes, "MPI_Init", "MPI_Init_thread");
    auto finalize = plan::find_call(shared_.play.trace, main->nodes, "MPI_Finalize");
    size_t first = init ? *init + 1 : 0, last = finalize ? *finalize : main->nodes.size();
    players_.front()->set_before_node([&](size_t node) {
      if (node >= times->start && node < last) start_others();
      if (node >= times->join) join_others();
      if (node >= last) sum_up();
    });
    ThreadPlayer& player = *players_.front();
    player.run(main->nodes, {.end = first});
    for (uint64_t n = 0; n < shared_.options.repeat; ++n) {
      started_ = false;
      player.run(main->nodes, {.begin = first, .end = last});
      start_others();
      join_others();
    }
    player.run(main->nodes, {.begin = last});
  }

  /// The inner and outer calls of one layer, each thread by itself.
  void play_layer() {
    start_others();
    play_layer_of(0);
    join_others();
  }

  void play_layer_of(size_t i) {
    const std::string& name = shared_.options.layer;
    const Stream* outer = find_stream(mine_, threads_[i], {});
    const Stream* inner = find_stream(mine_, threads_[i], name);
    for (uint64_t n = 0; n < shared_.options.repeat; ++n) {
      uint64_t prefix = inner == nullptr ? UINT64_MAX : static_cast<uint64_t>(inner->prefix.constant());
      if (outer != nullptr) players_[i]->run(outer->nodes, {.layer = name, .events = prefix});
      if (inner != nullptr) players_[i]->run(inner->nodes, {});
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
    totals_.seconds = static_cast<double>(monotonic_ns() - begun_) * 1e-9;
    if (!stopped_ && shared_.world.is_on()) shared_.world.add_up(totals_);
  }

  Shared& shared_;
  const trace::Process& mine_;
  std::vector<uint32_t> threads_;
  std::vector<std::unique_ptr<ThreadPlayer>> players_;
  std::vector<std::thread> running_;
  std::atomic<bool> stopped_{false};
  bool started_ = false;
  bool summed_ = false;
  uint64_t begun_ = 0;
  Totals totals_;
};

}  // namespace

Totals play(const Play& play, const PlayOptions& options, Libraries& libraries, Root& root, World& world) {
  Shared shared{play, options, libraries, root, world};
  trace::Process mine = trace::at_rank(play.process, play.rank, trace::Times::keep);
  return ProcessPlayer(shared, mine).run();
}

}  // namespace refrain::replay
