// Irregular iterations. A loop whose iterations differ now and then would fall apart into many short
// loops. So when the next event could start an iteration of the last loop, the nodes since that loop are
// aligned with its body. To let regular nesting win ({x {a b}} must not become {x? a b}), a loop is only
// adapted once four instances of it lie about unfolded; from then on it absorbs every irregular iteration
// at once.
//
// Example: a b c a b c a c a b c a b c a b c a c … leaves {a b c}×2 a c {a b c}×3 a c … in the residue. At
// the fourth instance of {a b c} the whole stretch becomes {a {b}0/1 c}, flagged adaptive, with the cursor
// inside; the next "a c" is then simply followed.
#include <algorithm>

#include "fold/fold_engine.hpp"
#include "fold/refine.hpp"

namespace refrain::fold {
namespace {

constexpr size_t adapt_window = 512;
constexpr size_t loops_looked_at = 48;
constexpr uint64_t coincidence = 3;  ///< outer loops with no more iterations than this may be chance
constexpr int least_instances = 4;
constexpr uint64_t vain_cost = 48;  ///< per node taken out and put back for nothing, in cells

bool contains(const LiveNode& loop, uint64_t hash) {
  return std::any_of(loop.body.begin(), loop.body.end(), [&](const Owned& x) { return x->hash == hash; });
}

/// Two instances of the same loop in a row become one.
Sequence joined(Sequence nodes, uint64_t hash, uint64_t& work) {
  Sequence out;
  for (Owned& node : nodes) {
    if (out.empty() || node->hash != hash || !same_structure(*out.back(), *node)) {
      out.push_back(std::move(node));
      continue;
    }
    uint64_t total = trips(*out.back()) + trips(*node);
    append(*out.back(), *node, work);
    set_trips(*out.back(), total);
  }
  return out;
}

}  // namespace

/// The next event fits nowhere. Can the nodes since the last loop be absorbed by it, so that the
/// event starts its next iteration? If so the cursor is inside a loop again.
bool Engine::absorb(const Wanted& next) {
  if (residue_.loops().empty()) return false;
  size_t at = residue_.loops().back(), since = residue_.size() - 1 - at;
  const LiveNode& loop = *residue_[at].node;
  size_t m = loop.body.size();
  if (since == 0 || m < 2 || since > 2 * m + 8 || m > longest_aligned_body) return false;
  path_.clear();
  if (!find_first(loop, 0, next)) return false;
  return loop.adaptive ? absorb_one(at) : absorb_many(at, next);
}

bool Engine::absorb_one(size_t at) {
  size_t n = residue_.size();
  LiveNode& loop = *residue_[at].node;
  if (!affords_adapting(loop.body.size() * (n - at))) return false;
  View right;
  for (size_t i = at + 1; i < n; ++i) right.push_back(&residue_.node(i));
  View left = view(loop.body);
  if (!low_enough(left, right)) return false;
  Alignment a = align(left, right, true, work_);
  if (a.used != right.size() || !worth_absorbing(left, right, a)) return false;
  Sequence iteration = residue_.take(at + 1);
  Owned owned = residue_.pop();
  uint64_t count = trips(*owned);
  owned->body = unify(std::move(owned->body), count, std::move(iteration), 1, a.steps, work_);
  owned->merged = true;
  rehash(*owned);
  residue_.push_node(std::move(owned));
  open_top(*residue_[at].node, count + 1);
  return true;
}

/// The loop with most instances among the last ones, counting also those inside short outer loops.
bool Engine::find_seed(size_t at, uint64_t& seed, size_t& from) const {
  struct Instance {
    uint64_t hash;
    size_t at;
  };
  std::vector<Instance> seen;
  const auto& loops = residue_.loops();
  for (size_t k = loops.size(); k-- > 0 && seen.size() < loops_looked_at && at - loops[k] <= adapt_window;) {
    const LiveNode& loop = *residue_[loops[k]].node;
    seen.push_back({loop.hash, loops[k]});
    if (trips(loop) > coincidence) continue;
    for (const Owned& x : loop.body)
      if (x->loop && x->body.size() > 1)
        for (uint64_t t = 0; t < trips(loop) && seen.size() < loops_looked_at + 12; ++t)
          seen.push_back({x->hash, loops[k]});
  }
  int most = least_instances - 1;
  for (const Instance& x : seen) {
    int instances = 0;
    size_t first = at;
    for (const Instance& y : seen) {
      if (y.hash != x.hash) continue;
      ++instances;
      first = std::min(first, y.at);
    }
    if (instances <= most) continue;
    most = instances;
    seed = x.hash;
    from = first;
  }
  return most >= least_instances;
}

/// Takes the residue from `from` on, writing out short outer loops that contain the seed.
Sequence Engine::take_unrolled(size_t from, uint64_t seed) {
  Sequence nodes = residue_.take(from), out;
  for (Owned& node : nodes) {
    bool chance = node->loop && node->hash != seed && trips(*node) <= coincidence && contains(*node, seed);
    if (!chance) {
      out.push_back(std::move(node));
      continue;
    }
    std::vector<Sequence> iterations(trips(*node));
    for (size_t t = iterations.size(); t-- > 0;)
      for (Owned& child : node->body) flatten(extract_last(*child, 1, work_.steps), iterations[t]);
    for (Sequence& iteration : iterations)
      for (Owned& x : iteration) out.push_back(std::move(x));
  }
  return joined(std::move(out), seed, work_.steps);
}

bool Engine::absorb_many(size_t at, const Wanted& next) {
  size_t n = residue_.size(), from = 0;
  const LiveNode& last = *residue_[at].node;
  if (folds_at_try_ == folds_ || !affords_adapting(last.body.size() * (n - at) * 4)) return false;
  folds_at_try_ = folds_;
  uint64_t seed = 0;
  work_.steps += loops_looked_at;
  if (!find_seed(at, seed, from) || !affords_adapting(8 * (n - from))) return false;
  work_.steps += n - from;
  Sequence nodes = take_unrolled(from, seed);
  size_t i = 0;
  while (i < nodes.size() && nodes[i]->hash != seed) ++i;
  path_.clear();
  bool any = false;
  if (i < nodes.size() && find_first(*nodes[i], 0, next)) {
    any = grow_right(nodes, i, work_, allowance());
    any |= grow_left(nodes, i, work_, allowance());
  }
  if (!any) {
    work_.cells += vain_cost * nodes.size();
    for (Owned& node : nodes) feed(std::move(node));
    folds_at_try_ = folds_;
    return !frames_.empty();
  }
  nodes[i]->adaptive = true;
  bool at_end = i + 1 == nodes.size();
  for (Owned& node : nodes) residue_.push_node(std::move(node));
  if (!at_end) return false;
  LiveNode& loop = *residue_[residue_.size() - 1].node;
  open_top(loop, trips(loop));
  return true;
}

/// Grows the loops of the whole residue, if there are any worth it.
void Engine::refine(bool last) {
  uint64_t covered = 0;
  for (uint32_t at : residue_.loops()) {
    const LiveNode& loop = *residue_[at].node;
    if (trips(loop) >= 3 || loop.body.size() >= 4) covered += trips(loop) * loop.body.size();
  }
  work_.steps += residue_.loops().size();
  size_t before = residue_.size();
  bool worthwhile = covered * 20 >= before || (last && covered > 0);
  if (!worthwhile || (!last && !affords_adapting(8 * before))) {
    refine_at_ = std::max<uint64_t>(1024, 2 * before);
    return;
  }
  Sequence nodes = residue_.take(0);
  uint64_t limit = last ? work_.steps + 32 * events_ + 64 * before : allowance();
  grow_all(nodes, work_, limit);
  size_t after = nodes.size();
  for (Owned& node : nodes) residue_.push_node(std::move(node));
  refine_at_ = std::max<uint64_t>(1024, 2 * after > before ? 2 * after : after + 512);
  if (last || after == 0 || !residue_.is_loop(after - 1)) return;
  LiveNode& loop = *residue_[after - 1].node;
  open_top(loop, trips(loop));
}

}  // namespace refrain::fold
