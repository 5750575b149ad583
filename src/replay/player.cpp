#include "replay/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "api/table.hpp"
#include "base/clock.hpp"
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
               has_threads},
        think_(shared.options.think, shared.options.seed * 1000003 + shared.play.rank * 4099 + thread) {
    for (std::string_view layer : api::layers()) totals_.layers.push_back({.layer = std::string(layer)});
  }

  void set_phases(Phases phases) {
    for (std::string& name : phases.names) totals_.phases.push_back({.name = std::move(name)});
    phase_of_node_ = std::move(phases.of_node);
  }
  /// Called before the call that ends MPI.
  void set_before_end(std::function<void()> action) { before_end_ = std::move(action); }

  /// The events of a stream, or the first `limit` of them that belong to `layer`.
  void run(const std::vector<Node>& nodes, const std::string& layer = {}, uint64_t limit = ~uint64_t{0}) {
    learn(nodes);
    trace::Expander events(nodes);
    for (uint64_t done = 0; done < limit;) {
      trace::Expander::Event event = events.next();
      if (event.node == nullptr) break;
      Known& known = known_.at(event.node);
      if (!layer.empty() && known.signature->layer != layer) continue;
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
    size_t phase = 0;
    double mean_ns = 0;  ///< recorded, of gap and call together
    bool ends_mpi = false;
  };

  void learn(const std::vector<Node>& nodes) {
    for (size_t i = 0; i < nodes.size(); ++i)
      learn(nodes[i], i < phase_of_node_.size() ? phase_of_node_[i] : 0);
  }

  void learn(const Node& node, size_t phase) {
    for (const Node& inner : node.body) learn(inner, phase);
    if (node.kind != trace::NodeKind::event) return;
    Known& known = known_[&node];
    known.node = &node;
    known.signature = &shared_.play.trace.signatures[node.signature];
    known.phase = phase;
    known.ends_mpi = known.signature->function == "MPI_Finalize";
    auto mean = [](const Histogram& h) {
      return h.count() == 0 ? 0 : static_cast<double>(h.sum_ns()) / static_cast<double>(h.count());
    };
    known.mean_ns = mean(node.timing.gap) + mean(node.timing.duration);
    for (size_t l = 0; l < totals_.layers.size(); ++l)
      if (totals_.layers[l].layer == known.signature->layer) known.layer = l;
  }

  void make(Known& known, std::span<const int64_t> parameters) {
    think_.wait(known.node->timing.gap);
    Outcome outcome;
    uint64_t begun = monotonic_ns(), ended = begun;
    try {
      if (!known.call) known.call = std::make_unique<Call>(stage_, *known.signature);
      known.call->prepare(parameters);
      if (known.ends_mpi && before_end_) before_end_();
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
  std::function<void()> before_end_;
  uint64_t calls_ = 0;
  uint64_t last_ = monotonic_ns();
};

/// Plays one thread as often as asked for; false if it was stopped.
bool play_thread(ThreadPlayer& player, const PlayOptions& options, const Stream* outer, const Stream* layer) {
  try {
    for (uint64_t n = 0; n < options.repeat; ++n) {
      if (options.layer.empty()) {
        if (outer != nullptr) player.run(outer->nodes);
        continue;
      }
      if (outer != nullptr)
        player.run(outer->nodes, options.layer,
                   layer == nullptr ? ~uint64_t{0} : static_cast<uint64_t>(layer->prefix.constant()));
      if (layer != nullptr) player.run(layer->nodes);
    }
    return true;
  } catch (const Stopped&) {
    return false;
  }
}

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

}  // namespace

Totals play(const Play& play, const PlayOptions& options, Libraries& libraries, Root& root, World& world) {
  Shared shared{play, options, libraries, root, world};
  trace::Process mine = trace::at_rank(play.process, play.rank, trace::Times::keep);
  std::vector<uint32_t> threads;
  for (const Stream& s : mine.streams)
    if (std::find(threads.begin(), threads.end(), s.thread) == threads.end()) threads.push_back(s.thread);
  std::sort(threads.begin(), threads.end());

  std::vector<std::unique_ptr<ThreadPlayer>> players;
  for (uint32_t t : threads) players.push_back(std::make_unique<ThreadPlayer>(shared, t, threads.size() > 1));
  Totals totals;
  if (players.empty()) return totals;
  ThreadPlayer& main = *players.front();
  if (const Stream* whole = find_stream(play.process, threads.front(), {});
      whole != nullptr && options.layer.empty())
    main.set_phases(divide(play.trace, *whole, trace::ranks_of(*whole, play.process), play.rank));

  std::vector<std::thread> others;
  std::atomic<bool> stopped{false};
  auto run = [&](size_t i) {
    const Stream* outer = find_stream(mine, threads[i], {});
    const Stream* layer = options.layer.empty() ? nullptr : find_stream(mine, threads[i], options.layer);
    if (!play_thread(*players[i], options, outer, layer)) stopped = true;
  };
  uint64_t begun = monotonic_ns();
  bool added = false;
  auto sum_up = [&] {
    for (std::thread& t : others) t.join();
    others.clear();
    if (added) return;
    added = true;
    totals = main.totals();
    for (size_t i = 1; i < players.size(); ++i) add(totals, players[i]->totals());
    totals.failures = shared.failures;
    totals.seconds = static_cast<double>(monotonic_ns() - begun) * 1e-9;
    if (world.is_on() && !stopped) world.add_up(totals);
  };
  main.set_before_end(sum_up);
  for (size_t i = 1; i < players.size(); ++i) others.emplace_back(run, i);
  run(0);
  sum_up();
  totals.failures = std::max<uint64_t>(totals.failures, shared.failures);
  if (stopped) world.abandon();
  return totals;
}

}  // namespace refrain::replay
