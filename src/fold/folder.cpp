// Folding, in one page.
//
// A folder reads one thread's events and keeps a tree of loops over them. It is in one of two modes.
//
// Learning: the cursor is in no loop. The event is appended to the *residue*, the list of what isn't folded
// further. If the end of the residue now holds the same structure twice in a row, the two copies become a
// loop with two iterations, and the cursor enters it. Structure means signatures and nesting only; all
// integers go to streams, one per parameter and one per trip count, and never take part in the match.
//
// Following: the cursor is inside a loop, which predicts the next event. A right prediction costs a
// comparison and a push per integer. A wrong one may still be a known way: into a nested loop, past it, out
// of it. Otherwise the iteration that was begun is undone, its pieces go to the loop outside, or to the
// residue.
//
// Example: o w w c o w w w c o w c. After o w w the residue o {w}×2 has a loop; c leaves it. At the second
// c the residue is o {w} c o {w} c: equal structure twice, and it becomes {o {w} c}×2 with the trip counts
// 2 3. In the third iteration the cursor follows o, enters {w}, leaves it after one iteration at c.
//
// Loops with irregular iterations are the business of adapt.cpp, residues in random order of
// alternatives.cpp. At the end explain.cpp turns the streams into elastic values.
//
// Costs: every operation is counted as work against a credit that grows with each event. A stream of events
// that provokes more work than that is stored as it is for a while; see Engine::exhausted.
#include "fold/folder.hpp"

#include <algorithm>

#include "fold/alternatives.hpp"
#include "fold/explain.hpp"
#include "fold/fold_engine.hpp"
#include "format/node_code.hpp"

namespace refrain::fold {
namespace {

Effort effort_for(uint64_t events) {
  return Effort(std::min<uint64_t>(uint64_t{1} << 26, (1 << 20) + 32 * events));
}

size_t encoded_size(const std::vector<trace::Node>& nodes) {
  ByteWriter w;
  format::write_nodes(w, nodes);
  return w.size();
}

/// A choice reads less well than loops, and can't be merged call by call with what other ranks did; it must
/// be worth it.
bool clearly_smaller(size_t choice, size_t plain) { return choice + choice / 8 + 256 < plain; }

Sequence copy_of(const Sequence& nodes) {
  Sequence copy;
  for (const Owned& node : nodes) copy.push_back(clone(*node));
  return copy;
}

/// The tree as loops, or as a choice where that is shorter. A long list is tried as a choice first, since
/// that usually settles it; irregular loops are explained first, to see whether a choice could be shorter.
std::vector<trace::Node> shortest(Sequence tree, Signatures signatures, uint64_t events) {
  Effort effort = effort_for(events), choice_effort = effort;
  uint64_t in_loops = size_of_merged_loops(tree);
  bool list = tree.size() >= least_choice && in_loops <= tree.size();
  if (!list && in_loops == 0) return explain(std::move(tree), signatures, effort);
  std::vector<trace::Node> plain;
  if (!list) {
    plain = explain(copy_of(tree), signatures, effort);
    if (!could_be_shorter(tree, encoded_size(plain))) return plain;
  }
  auto choice = as_choice(tree, signatures, events, choice_effort);
  size_t bytes = choice ? encoded_size(*choice) : SIZE_MAX / 2;
  if (choice && clearly_smaller(bytes, least_bytes(tree))) return std::move(*choice);
  if (list) plain = explain(std::move(tree), signatures, effort);
  return clearly_smaller(bytes, encoded_size(plain)) ? std::move(*choice) : plain;
}

}  // namespace

struct Folder::Impl {
  Engine engine;
};

Folder::Folder(Options options) : impl_(new Impl{Engine(options)}) {}
Folder::~Folder() = default;
Folder::Folder(Folder&&) noexcept = default;
Folder& Folder::operator=(Folder&&) noexcept = default;

void Folder::declare(uint32_t signature, Shape shape) { impl_->engine.declare(signature, shape); }

void Folder::event(uint32_t signature, const int64_t* parameters, const Times& times) {
  impl_->engine.event(signature, parameters, times);
}

uint32_t Folder::period() const { return impl_->engine.period(); }
uint32_t Folder::predicted(uint32_t ahead) const { return impl_->engine.predicted(ahead).signature; }
void Folder::take(uint32_t ahead, const Series& series) { impl_->engine.take(ahead, series); }
void Folder::next(uint64_t rounds) { impl_->engine.next(rounds); }

uint64_t Folder::events() const { return impl_->engine.events(); }
uint64_t Folder::work() const { return impl_->engine.work(); }

std::vector<trace::Node> Folder::finish(Signatures signatures) {
  Engine& engine = impl_->engine;
  uint64_t events = engine.events();
  bool alternatives = engine.options().alternatives;
  Sequence tree = engine.finish();
  engine.start_over();
  drop_idle(tree);
  if (alternatives) return shortest(std::move(tree), signatures, events);
  Effort effort = effort_for(events);
  return explain(std::move(tree), signatures, effort);
}

void Folder::save(ByteWriter& out) const { impl_->engine.save(out); }

Folder Folder::restore(ByteReader& in, Options options, bool older) {
  Folder folder(options);
  folder.impl_->engine.restore(in, older);
  if (!in.ok()) folder = Folder(options);
  return folder;
}

size_t Folder::memory() const { return impl_->engine.memory(); }

}  // namespace refrain::fold
