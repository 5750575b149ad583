// Two sequences of events side by side. Both stand before a node of their uppermost lists: if the nodes are
// the same, neither is looked into. Otherwise they are run, event by event, until both happen to stand
// before a node again. For example
//
//     here                there
//     loop 2: a           a
//     loop 1000000: b     a
//     c                   loop 1000000: b
//                         c
//
// runs `a` twice on both sides, and then skips what follows without running it.
#include "compare/stream_pair.hpp"

#include <algorithm>
#include <set>

#include "compare/event_count.hpp"
#include "compare/same_tree.hpp"
#include "trace/text.hpp"

namespace refrain::compare {
namespace {

using trace::Node;
using trace::Stream;

constexpr uint64_t counted_by_running = 50'000'000;

const std::vector<Node> no_nodes;

const Stream* find(const Streams& streams, uint32_t thread, std::string_view layer) {
  for (const Stream& s : streams)
    if (s.thread == thread && s.layer == layer) return &s;
  return nullptr;
}

std::set<uint32_t> threads_of(const Streams& here, const Streams& there) {
  std::set<uint32_t> threads;
  for (const Stream& s : here) threads.insert(s.thread);
  for (const Stream& s : there) threads.insert(s.thread);
  return threads;
}

std::set<std::pair<uint32_t, std::string>> layers_of(const Streams& here, const Streams& there) {
  std::set<std::pair<uint32_t, std::string>> layers;
  for (const Streams* streams : {&here, &there})
    for (const Stream& s : *streams)
      if (!s.layer.empty()) layers.emplace(s.thread, s.layer);
  return layers;
}

/// The number of events, running those nodes that have to be; nothing if they have too many.
std::optional<uint64_t> count_by_running(Sequence sequence) {
  uint64_t total = 0;
  for (uint64_t run = 0; run < counted_by_running;) {
    sequence.settle();
    if (sequence.whole()) {
      auto counted = count_events(*sequence.whole());
      total += counted.value_or(0);
      counted ? sequence.skip() : sequence.enter();
      continue;
    }
    if (!sequence.event()) return sequence.damaged() ? std::nullopt : std::optional(total);
    sequence.take();
    ++run, ++total;
  }
  return {};
}

}  // namespace

/// What is compared: the pieces of both sides, and what to call them.
struct StreamPairs::Pair {
  uint32_t thread = 0;
  std::string layer{};
  std::array<std::vector<Piece>, 2> pieces{};

  Sequence sequence(const Meanings& meanings, Side side) const {
    return {meanings.trace(side), pieces[static_cast<size_t>(side)]};
  }
};

bool StreamPairs::same_trees(const Streams& here, const Streams& there) const {
  return std::equal(
      here.begin(), here.end(), there.begin(), there.end(), [&](const Stream& a, const Stream& b) {
        return a.thread == b.thread && a.layer == b.layer && a.ranks == b.ranks && a.prefix == b.prefix &&
               same_tree(meanings_, {Side::here, a.nodes}, {Side::there, b.nodes});
      });
}

Result<std::optional<Difference>> StreamPairs::compare(const Streams& here, const Streams& there) {
  if (same_trees(here, there)) return std::nullopt;
  Found found = threads(here, there);
  if (!found || *found || !layers_) return found;
  for (const auto& [thread, name] : layers_of(here, there)) {
    found = layer(name, thread, here, there);
    if (!found || *found) return found;
  }
  return std::nullopt;
}

StreamPairs::Found StreamPairs::threads(const Streams& here, const Streams& there) {
  for (uint32_t thread : threads_of(here, there)) {
    Found found = outer(thread, find(here, thread, ""), find(there, thread, ""));
    if (!found || *found) return found;
  }
  return std::nullopt;
}

StreamPairs::Found StreamPairs::outer(uint32_t thread, const Stream* here, const Stream* there) {
  Pair pair{.thread = thread,
            .pieces = {{{Piece{here ? here->nodes : no_nodes}}, {Piece{there ? there->nodes : no_nodes}}}}};
  Found found = lockstep(pair);
  if (found && *found && (!here || !there)) {
    (*found)->kind = Difference::Kind::thread;
    (*found)->present = {here != nullptr, there != nullptr};
  }
  return found;
}

/// A layer without a stream of its own had no inner events: all of its events are in the outer stream.
StreamPairs::Found StreamPairs::layer(const std::string& name, uint32_t thread, const Streams& here,
                                      const Streams& there) {
  Pair pair{.thread = thread, .layer = name};
  std::array<const Stream*, 2> streams{find(here, thread, name), find(there, thread, name)};
  bool same_prefix = streams[0] && streams[1] && streams[0]->prefix == streams[1]->prefix;
  for (size_t side : {0, 1}) {
    const Stream* outer = find(side == 0 ? here : there, thread, "");
    uint64_t prefix = streams[side] ? static_cast<uint64_t>(streams[side]->prefix.constant()) : UINT64_MAX;
    // The outer streams are known to be equal by now, and so are equally long beginnings of them.
    if (!same_prefix && outer && prefix > 0)
      pair.pieces[side].push_back({.nodes = outer->nodes, .layer = name, .limit = prefix});
    if (streams[side]) pair.pieces[side].push_back({.nodes = streams[side]->nodes});
  }
  Found found = lockstep(pair);
  if (found && *found && same_prefix) {
    auto prefix = static_cast<uint64_t>(streams[0]->prefix.constant());
    (*found)->event += prefix;
    for (auto& events : (*found)->events)
      if (events) *events += prefix;
  }
  return found;
}

namespace {

/// Fills in what can be said about the event that a sequence stands before.
void describe(Difference& d, size_t side, const Sequence& sequence, const trace::Trace& trace) {
  const trace::Expander::Event* e = sequence.event();
  if (!e) return;
  const trace::Signature& s = trace.signatures[e->node->signature];
  d.functions[side] = s.function;
  d.layers[side] = s.layer;
  d.operands[side] = static_cast<uint32_t>(s.operands.size());
  d.calls[side] = event_text(trace, s, e->parameters);
  d.indices[side].assign(sequence.indices().begin(), sequence.indices().end());
}

/// Two sequences on their way. Each step() passes an event or a whole node on both sides, or goes into a
/// node, until there is a difference or both are at their ends.
class Lockstep {
 public:
  Lockstep(const Meanings& meanings, Sequence here, Sequence there)
      : meanings_(meanings), here_(std::move(here)), there_(std::move(there)) {}

  /// False when there is nothing more to do.
  bool step() {
    here_.settle(), there_.settle();
    if (here_.damaged() || there_.damaged()) return false;
    if (here_.whole() || there_.whole()) {
      if (!skip()) enter();
      return true;
    }
    if (!here_.event() && !there_.event()) return false;
    if (leave_attempt(Side::here, here_) || leave_attempt(Side::there, there_)) return true;
    ++walked_;
    return pass_event();
  }

  const Sequence& here() const { return here_; }
  const Sequence& there() const { return there_; }
  uint64_t walked() const { return walked_; }
  std::optional<Difference>& difference() { return difference_; }

  /// Number of the event at which both stand, from 1; 0 if there are too many to say.
  uint64_t event_number() const {
    uint64_t number = passed_ + 1;
    for (const Node* node : uncounted_) {
      std::vector<Node> alone{*node};
      auto counted = count_by_running({meanings_.trace(Side::here), {Piece{alone}}});
      if (!counted) return 0;
      number += *counted;
    }
    return number;
  }

 private:
  bool skip() {
    const Node *a = here_.whole(), *b = there_.whole();
    if (!a || !b || !same_node(meanings_, Side::here, *a, Side::there, *b)) return false;
    auto counted = count_events(*a);
    if (!counted) uncounted_.push_back(a);
    passed_ += counted.value_or(0);
    here_.skip(), there_.skip();
    return true;
  }

  /// Who asks for what another makes or removes may come too early or too late, any number of times.
  bool leave_attempt(Side side, Sequence& sequence) {
    const auto* event = sequence.event();
    if (!event) return false;
    auto race = meanings_.race(side, event->node->signature);
    bool asks = race == trace::Race::attempt || race == trace::Race::question;
    bool leaves = asks || uses_won_handle(side, *event);
    if (!leaves) return false;
    if (side == Side::here) ++passed_;
    sequence.take();
    return true;
  }

  /// What the first one does with what it got, until it closes it, the others could not do.
  bool uses_won_handle(Side side, const trace::Expander::Event& event) {
    auto& won = won_[static_cast<size_t>(side)];
    if (won.empty()) return false;
    const trace::Signature& s = meanings_.trace(side).signatures[event.node->signature];
    size_t at = 0;
    for (const trace::Operand& o : s.operands) {
      bool is_own = o.kind == trace::OperandKind::slot && o.thread == trace::Operand::own_thread;
      auto found = is_own ? won.find({o.text, event.parameters[at]}) : won.end();
      at += o.parameters();
      if (found == won.end()) continue;
      if (s.bracket == trace::Bracket::closes) won.erase(found);
      return true;
    }
    return false;
  }
  void keep_won_handles(const Call& a, const Call& b) {
    auto of = [&](Side side, const Call& c) -> const trace::Signature& {
      return meanings_.trace(side).signatures[c.signature];
    };
    const trace::Signature &here = of(Side::here, a), &there = of(Side::there, b);
    if (here.error == there.error) return;
    if (here.error.empty() && here.result.kind == trace::OperandKind::slot)
      won_[0].insert({here.result.text, a.parameters.back()});
    if (there.error.empty() && there.result.kind == trace::OperandKind::slot)
      won_[1].insert({there.result.text, b.parameters.back()});
  }

  void enter() {
    if (here_.whole()) here_.enter();
    if (there_.whole()) there_.enter();
  }

  bool pass_event() {
    const auto *x = here_.event(), *y = there_.event();
    if (!x || !y) {
      difference_ = Difference{.kind = Difference::Kind::end, .present = {x != nullptr, y != nullptr}};
      return false;
    }
    Call a{x->node->signature, x->parameters}, b{y->node->signature, y->parameters};
    if (!same_at_a_glance(meanings_, a, b)) {
      if (auto found = mismatch(meanings_, a, b)) {
        difference_ = Difference{.mismatch = std::move(*found)};
        return false;
      }
      keep_won_handles(a, b);
    }
    here_.take(), there_.take();
    ++passed_;
    return true;
  }

  const Meanings& meanings_;
  Sequence here_, there_;
  uint64_t passed_ = 0, walked_ = 0;
  std::array<std::set<std::pair<std::string, int64_t>>, 2> won_;  ///< handles, by side
  std::vector<const Node*> uncounted_;  ///< passed, but nobody knows how many events they are
  std::optional<Difference> difference_;
};

}  // namespace

StreamPairs::Found StreamPairs::lockstep(const Pair& pair) {
  Lockstep lockstep(meanings_, pair.sequence(meanings_, Side::here), pair.sequence(meanings_, Side::there));
  while (lockstep.step()) {
  }
  walked_ += lockstep.walked();
  if (lockstep.here().damaged() || lockstep.there().damaged())
    return fail(ErrorKind::bad_input, "values are missing from the trace",
                lockstep.here().damaged() ? "first" : "second");
  if (!lockstep.difference()) return std::nullopt;
  Difference d = std::move(*lockstep.difference());
  d.thread = pair.thread;
  d.layer = pair.layer;
  d.event = lockstep.event_number();
  describe(d, 0, lockstep.here(), meanings_.trace(Side::here));
  describe(d, 1, lockstep.there(), meanings_.trace(Side::there));
  for (Side side : {Side::here, Side::there})
    d.events[static_cast<size_t>(side)] = count_by_running(pair.sequence(meanings_, side));
  return d;
}

}  // namespace refrain::compare
