#include "replay/thread_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/table.hpp"
#include "replay/replay_error.hpp"
#include "trace/text.hpp"

namespace refrain::replay {
namespace {

/// How often the player reports its progress.
constexpr uint64_t calls_per_sign = 4096;

double mean_ns(const Histogram& h) {
  return h.count() == 0 ? 0 : static_cast<double>(h.sum_ns()) / static_cast<double>(h.count());
}

}  // namespace

ThreadPlayer::ThreadPlayer(Shared& shared, uint32_t thread, bool has_threads)
    : shared_(shared),
      stage_{shared.play.trace,
             shared.libraries,
             shared.handles,
             shared.root,
             Buffers(shared.options.fill),
             thread,
             has_threads,
             shared.has_families,
             !shared.options.layer.empty(),
             shared.awaited,
             &shared.abort,
             Turns(shared.root.folder(), shared.turns, shared.play.rank)},
      think_(shared.options.think, shared.options.seed * 1000003 + thread) {
  for (const api::LayerFacts& layer : api::layers)
    totals_.layers.push_back({.layer = std::string(layer.name)});
  layer_ticks_.resize(totals_.layers.size());
  clock_.start();
  last_ = ticks();
}

void ThreadPlayer::set_phases(Phases phases) {
  for (std::string& name : phases.names) totals_.phases.push_back({.name = std::move(name)});
  phase_ticks_.resize(totals_.phases.size());
  phase_of_node_ = std::move(phases.of_node);
}

Totals ThreadPlayer::totals() {
  clock_.refine();
  auto seconds = [&](uint64_t elapsed) { return static_cast<double>(clock_.ns(elapsed)) * 1e-9; };
  for (size_t l = 0; l < layer_ticks_.size(); ++l) totals_.layers[l].seconds = seconds(layer_ticks_[l]);
  for (size_t p = 0; p < phase_ticks_.size(); ++p) totals_.phases[p].seconds = seconds(phase_ticks_[p]);
  return totals_;
}

void ThreadPlayer::Course::rewind() {
  events = std::make_unique<trace::Expander>(nodes);
  advance();
}

void ThreadPlayer::run(const std::vector<trace::Node>& nodes, const Part& part) {
  if (!course_ || &course_->nodes != &nodes)
    course_ = std::make_unique<Course>(nodes);
  else if (part.begin < course_->at())
    course_->rewind();
  size_t before = SIZE_MAX;
  Course& course = *course_;
  for (uint64_t done = 0; course.at() < std::min(part.end, nodes.size()) && done < part.events;
       course.advance()) {
    const trace::Expander::Event& event = course.ahead;
    if (event.outermost < part.begin) continue;
    Known& known = learn(event);
    if (!part.layer.empty() && !known.signature->in_stream_of(part.layer)) continue;
    if ((known.starts_mpi && part.mpi_runs_before) || (known.ends_mpi && part.mpi_runs_on)) continue;
    if (event.outermost != before && before_node_) before_node_(nodes, event.outermost);
    before = event.outermost;
    if (known.ends_mpi && mpi_ends_) mpi_ends_();
    if (shared_.options.before_call && stage_.thread == 0) shared_.options.before_call();
    make(known, event.parameters);
    if (known.starts_mpi && mpi_started_) mpi_started_();
    ++done;
  }
  if (course.events->damaged() && !std::exchange(course.reported_damage, true))
    complain("values are missing from the trace");
  if (std::string lost = stage_.turns.complaint(); !lost.empty()) complain(lost);
  think_.settle();
}

ThreadPlayer::Known& ThreadPlayer::learn(const trace::Expander::Event& event) {
  std::vector<Known>& all = course_->known;
  if (event.number >= all.size()) all.resize(event.number + 1);
  Known& known = all[event.number];
  if (known.node != nullptr) return known;
  known.node = event.node;
  known.signature = &shared_.play.trace.signatures[event.node->signature];
  known.is_raced = plan::may_end_otherwise(shared_.races, event.node->signature, *known.signature);
  api::Traits traits = api::traits_of(known.signature->function);
  known.starts_mpi = traits.has(api::Trait::starts_mpi);
  known.ends_mpi = traits.has(api::Trait::ends_mpi);
  known.phase = event.outermost < phase_of_node_.size() ? phase_of_node_[event.outermost] : 0;
  known.mean_ns = pace_ * mean_ns(event.node->timing.gap) + mean_ns(event.node->timing.duration);
  for (size_t l = 0; l < totals_.layers.size(); ++l)
    if (totals_.layers[l].layer == known.signature->layer) known.layer = l;
  return known;
}

void ThreadPlayer::make(Known& known, std::span<const int64_t> parameters) {
  if (think_.waits() && calls_ > 0) think_.spent(static_cast<double>(clock_.ns(ticks() - last_)));
  think_.wait(known.node->timing.gap, known.node->signature, pace_);
  Outcome outcome;
  uint64_t begun = last_, ended = begun;
  try {
    if (!known.call) known.call = std::make_unique<Call>(stage_, *known.signature);
    known.call->prepare(parameters);
    begun = ticks();
    outcome = shared_.watchdog == nullptr ? known.call->make() : make_watched(known);
    ended = ticks();
  } catch (const ReplayError& trouble) {
    if (!known.signature->error.empty()) return;  // it failed then, and can't even be made now
    outcome = {.failed = true, .reason = trouble.reason};
    ended = begun;
  }
  count(known, outcome, begun, ended);
  bool expected = !known.signature->error.empty();
  bool by_chance = known.is_raced && outcome.failed != expected && (expected || outcome.by_absence);
  totals_.races += by_chance;
  if (!outcome.failed && !by_chance) totals_.surprises += expected;
  if (outcome.missing > 0) count_short(known, parameters, outcome.missing);
  if (outcome.failed && !expected && !by_chance) fail(known, parameters, outcome.reason);
}

Outcome ThreadPlayer::make_watched(Known& known) {
  current_ = known.signature;
  shared_.watchdog->call_begins();
  Outcome outcome = known.call->make();
  shared_.watchdog->call_ends();
  current_ = nullptr;
  return outcome;
}

std::string ThreadPlayer::doing() const {
  const trace::Signature* now = current_;
  return now == nullptr ? std::string() : now->function;
}

void ThreadPlayer::count(const Known& known, const Outcome& outcome, uint64_t begun, uint64_t ended) {
  LayerTotal& layer = totals_.layers[known.layer];
  ++layer.calls;
  layer.read += outcome.read;
  layer.written += outcome.written;
  layer_ticks_[known.layer] += ended - begun;
  if (known.phase < totals_.phases.size()) {
    PhaseTotal& phase = totals_.phases[known.phase];
    phase.recorded_seconds += known.mean_ns * 1e-9;
    phase.bytes += outcome.read + outcome.written;
    phase_ticks_[known.phase] += ended - last_;
  }
  last_ = ended;
  if (++calls_ % calls_per_sign == 0 && shared_.options.progress) {
    Quiet quiet;
    shared_.options.progress(calls_);
  }
}

void ThreadPlayer::fail(const Known& known, std::span<const int64_t> parameters, const std::string& reason) {
  ++shared_.failures;
  complain(
      fmt::format("{}: {}", trace::event_text(shared_.play.trace, *known.signature, parameters), reason));
  if (!shared_.options.keep_going) throw Stopped{};
}

void ThreadPlayer::count_short(const Known& known, std::span<const int64_t> parameters, uint64_t missing) {
  totals_.bytes_missing += missing;
  if (totals_.short_reads++ > 0) return;
  Quiet quiet;
  std::lock_guard lock(shared_.complaints);
  if (shared_.first_short.empty())
    shared_.first_short = trace::event_text(shared_.play.trace, *known.signature, parameters);
}

void ThreadPlayer::complain(const std::string& what) {
  Quiet quiet;
  std::lock_guard lock(shared_.complaints);
  if (shared_.options.complain) shared_.options.complain(what);
}

}  // namespace refrain::replay
