#include "plan/only_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>

#include "api/layers.hpp"
#include "fold/folder.hpp"
#include "merge/merge_ranks.hpp"
#include "plan/call_files.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"

namespace refrain::plan {
namespace {

using trace::Process;
using trace::Stream;
using trace::Trace;
using Parameters = std::span<const int64_t>;
using Use = CallFiles::Slot::Use;

/// Examining more calls, of all ranks together, would take hours.
constexpr uint64_t most_calls = 2'000'000'000;

/// Calls `use(process as it is on one rank, rank)` for all processes and their ranks.
template <class Run>
void for_ranks(const Trace& trace, Run run) {
  for (const Process& p : trace.processes) {
    if (p.ranks.empty()) run(p);
    for (uint64_t k = 0; k < p.ranks.size(); ++k) run(trace::at_rank(p, p.ranks.at(k), trace::Times::keep));
  }
}

/// Gives handles the lowest free numbers, as the recorder does.
class Renumbered {
 public:
  /// Gives the handles of a call their new slots.
  void apply(const std::vector<CallFiles::Slot>& slots, std::vector<int64_t>& p, bool failed) {
    for (const CallFiles::Slot& slot : slots) {
      int64_t& number = p[slot.parameter];
      Key old{slot.handle_class, number};
      auto known = now_.find(old);
      if (slot.use == Use::used || slot.use == Use::closed) {
        if (known != now_.end()) number = known->second;
        used_ = old;
        if (slot.use == Use::closed && !failed) close(old);
        continue;
      }
      if (slot.use == Use::made && known != now_.end()) release(old);
      number = slot.use == Use::same && known != now_.end() ? known->second : take(old);
      if (slot.use == Use::same) with_[used_] = old;
    }
  }

 private:
  using Key = std::pair<std::string, int64_t>;

  int64_t take(const Key& old) {
    std::set<int64_t>& busy = busy_[old.first];
    int64_t lowest = 0;
    for (auto at = busy.begin(); at != busy.end() && *at == lowest; ++at) ++lowest;
    busy.insert(lowest);
    return now_[old] = lowest;
  }
  void release(const Key& old) {
    auto known = now_.find(old);
    if (known == now_.end()) return;
    busy_[old.first].erase(known->second);
    now_.erase(known);
  }
  /// Closing a stream also closes the descriptor that was asked for.
  void close(const Key& old) {
    release(old);
    auto descriptor = with_.find(old);
    if (descriptor == with_.end()) return;
    release(descriptor->second);
    with_.erase(descriptor);
  }

  std::map<Key, int64_t> now_;
  std::map<std::string, std::set<int64_t>> busy_;
  std::map<Key, Key> with_;
  Key used_{};
};

/// Descriptors that libraries open and close inside other calls; these use numbers, too. In order, each with
/// the number of the thread's own calls of the layer before it.
struct InnerChange {
  uint64_t after = 0;
  std::vector<CallFiles::Slot> slots{};
  std::vector<int64_t> numbers{};
};
constexpr std::string_view inner_layer = api::facts_of(api::Layer::posix).name;

/// Time since the last call that was kept.
struct Passed {
  uint64_t ns = 0;
  trace::Communication communication{};

  void gap(const trace::Timing& t) {
    uint64_t count = t.gap.count();
    if (count == 0) return;
    ns += t.gap.sum_ns() / count;
    trace::Communication all = t.communication;
    communication.add(all.split(1, count));
  }
  static uint64_t duration(const trace::Timing& t) {
    return t.duration.count() == 0 ? 0 : t.duration.sum_ns() / t.duration.count();
  }
};

class Selection {
 public:
  Selection(const Trace& trace, uint64_t above, LeftOut& report)
      : trace_(trace), above_(above), report_(report), calls_(trace, ties_) {}

  Result<Trace> run() {
    if (Result<void> possible = check(); !possible) return tl::unexpected(possible.error());
    for_ranks(trace_, [&](const Process& p) { look(p); });
    if (total_ > most_calls)
      return fail(ErrorKind::limit, fmt::format("there are more than {} calls to choose from", most_calls));
    if (damaged_) return fail(ErrorKind::bad_input, "values are missing from the trace");
    kept_ = ties_.kept(above_);
    report();
    if (report_.kept.bytes <= above_) return nothing();
    Trace out = trace_;
    out.processes.clear();
    for_ranks(trace_, [&](const Process& p) { out.processes.push_back(selected(p)); });
    out.notes.push_back(fmt::format("only files that move more than {} bytes: {} of {} calls are left out",
                                    above_, report_.left.calls, report_.left.calls + report_.kept.calls));
    std::vector<Trace> parts;
    parts.push_back(std::move(out));
    return merge::merge_ranks(std::move(parts), {.threads = 0});
  }

 private:
  Result<void> check() const {
    if (trace_.scale_free()) return fail(ErrorKind::limit, "files can be chosen at one number of ranks only");
    for (const trace::Signature& s : trace_.signatures)
      for (const trace::Operand& o : s.operands)
        if (o.kind == trace::OperandKind::slot && o.thread != trace::Operand::own_thread)
          return fail(ErrorKind::limit,
                      "threads share handles, so it can't be told which calls belong to which file");
    return {};
  }

  tl::unexpected<Error> nothing() const {
    const auto& files = report_.left.files;
    std::string largest =
        files.empty() ? "" : fmt::format("; the largest is {} with {}", files[0].name, files[0].bytes);
    return fail(ErrorKind::limit, fmt::format("no file moves more than {} bytes{}", above_, largest));
  }

  /// Calls `use(node, parameters, file)` for the calls of a stream.
  template <class UseCall>
  void walk(const Stream& stream, UseCall use) {
    calls_.begin();
    trace::Expander expander(stream.nodes);
    for (auto e = expander.next(); e.node != nullptr && total_ <= most_calls; e = expander.next())
      use(*e.node, e.parameters, calls_.take(e.node->signature, e.parameters));
    damaged_ |= expander.damaged();
  }

  void look(const Process& p) {
    for (const Stream& stream : p.streams)
      if (stream.layer.empty())
        walk(stream, [&](const trace::Node& node, Parameters parameters, size_t file) {
          ++total_;
          ++ties_.files()[file].calls;
          ties_.files()[file].bytes += calls_.bytes(node.signature, parameters);
        });
  }

  void report() {
    report_.above = above_;
    for (size_t f = 0; f < ties_.files().size(); ++f) {
      const FileTies::File& file = ties_.files()[f];
      LeftOut::Part& part = kept_[f] ? report_.kept : report_.left;
      part.calls += file.calls;
      part.bytes += file.bytes;
      if (file.has_path && file.calls > 0) part.files.push_back({file.name, file.bytes});
    }
    for (LeftOut::Part* part : {&report_.kept, &report_.left})
      std::stable_sort(part->files.begin(), part->files.end(),
                       [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  }

  Process selected(const Process& p) {
    Process out = p;
    out.heat = {};      // of all calls
    out.steps.clear();  // likewise
    out.streams.clear();
    for (const Stream& stream : p.streams)
      if (stream.layer.empty()) out.streams.push_back({.thread = stream.thread, .nodes = folded(p, stream)});
    return out;
  }

  static const Stream* layer_of(const Process& p, const Stream& outer) {
    for (const Stream& s : p.streams)
      if (s.layer == inner_layer && s.thread == outer.thread) return &s;
    return nullptr;
  }

  /// The stream of the layer also holds the thread's own calls, beginning with the number that is its prefix.
  std::vector<InnerChange> inner_changes(const Stream* layer, const Stream& outer) {
    std::vector<InnerChange> changes;
    if (layer == nullptr) return changes;
    trace::Expander own(outer.nodes);
    auto next_own = [&] {
      auto e = own.next();
      while (e.node != nullptr && trace_.signatures[e.node->signature].layer != inner_layer) e = own.next();
      return e;
    };
    calls_.begin();
    uint64_t passed = 0;
    auto expected = next_own();
    for (auto before = static_cast<uint64_t>(layer->prefix.constant());
         passed < before && expected.node != nullptr; ++passed, expected = next_own())
      calls_.take(expected.node->signature, expected.parameters);
    trace::Expander all(layer->nodes);
    for (auto e = all.next(); e.node != nullptr; e = all.next()) {
      size_t file = calls_.take(e.node->signature, e.parameters);
      if (expected.node != nullptr && expected.node->signature == e.node->signature &&
          std::equal(e.parameters.begin(), e.parameters.end(), expected.parameters.begin(),
                     expected.parameters.end())) {
        ++passed;
        expected = next_own();
        continue;
      }
      if (file >= kept_.size() || !kept_[file] || !trace_.signatures[e.node->signature].error.empty())
        continue;
      std::vector<CallFiles::Slot> slots = calls_.slots(e.node->signature);
      std::erase_if(slots, [](const CallFiles::Slot& slot) { return slot.use == Use::used; });
      if (!slots.empty()) changes.push_back({passed, slots, {e.parameters.begin(), e.parameters.end()}});
    }
    return changes;
  }

  std::vector<trace::Node> folded(const Process& p, const Stream& stream) {
    std::vector<InnerChange> inner = inner_changes(layer_of(p, stream), stream);
    uint64_t own = 0;
    size_t changed = 0;
    fold::Folder folder;
    std::vector<bool> declared(trace_.signatures.size());
    std::vector<int64_t> numbers;
    Renumbered slots;
    Passed passed;
    walk(stream, [&](const trace::Node& node, Parameters parameters, size_t file) {
      const trace::Signature& s = trace_.signatures[node.signature];
      for (; changed < inner.size() && inner[changed].after <= own; ++changed)
        slots.apply(inner[changed].slots, inner[changed].numbers, false);
      own += s.layer == inner_layer;
      passed.gap(node.timing);
      uint64_t duration = Passed::duration(node.timing);
      if (!kept_[file]) {
        passed.ns += duration;
        return;
      }
      if (!declared[node.signature])
        folder.declare(node.signature, {static_cast<uint32_t>(parameters.size()), s.bracket});
      declared[node.signature] = true;
      numbers.assign(parameters.begin(), parameters.end());
      slots.apply(calls_.slots(node.signature), numbers, !s.error.empty());
      folder.event(node.signature, numbers.data(),
                   {passed.ns, duration, passed.communication.empty() ? nullptr : &passed.communication});
      passed = {};
    });
    return folder.finish(trace_.signatures);
  }

  const Trace& trace_;
  uint64_t above_;
  LeftOut& report_;
  FileTies ties_;
  CallFiles calls_;
  std::vector<bool> kept_;
  uint64_t total_ = 0;
  bool damaged_ = false;
};

}  // namespace

Result<Trace> only_data(const Trace& trace, uint64_t above, LeftOut& left_out) {
  return Selection(trace, above, left_out).run();
}

}  // namespace refrain::plan
