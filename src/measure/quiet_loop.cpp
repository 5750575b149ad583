#include "measure/quiet_loop.hpp"

#include <algorithm>

#include "measure/slope.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

constexpr uint64_t most_per_turn = uint64_t{1} << 40;

bool is_plain_affine(const Value& v) { return v.form == Form::affine && v.is_plain(); }

}  // namespace

const QuietLoop::Mover* QuietLoop::mover(const AccessRule& rule, int64_t slot,
                                         const std::vector<AccessRule>& rules) const {
  for (const Mover& m : movers)
    if (m.slot == slot && rules[m.node->signature].handle.handle_class == rule.handle.handle_class) return &m;
  return nullptr;
}

const QuietLoop* QuietLoops::find(const Node& loop, size_t depth) {
  auto [entry, is_new] = known_.try_emplace(&loop);
  if (is_new) {
    QuietLoop quiet;
    if (add(quiet, loop.body, depth, 1) && quiet.first) entry->second = std::move(quiet);
  }
  return entry->second ? &*entry->second : nullptr;
}

bool QuietLoops::add(QuietLoop& quiet, const std::vector<Node>& nodes, size_t depth, uint64_t per_turn) {
  for (const Node& n : nodes) {
    if (n.kind == NodeKind::event) {
      if (!add_call(quiet, n, depth, per_turn)) return false;
      continue;
    }
    if (n.kind != NodeKind::loop || !n.count.is_constant() || n.count.constant_value() < 1) return false;
    uint64_t executions;
    if (__builtin_mul_overflow(per_turn, static_cast<uint64_t>(n.count.constant_value()), &executions) ||
        executions > most_per_turn)
      return false;
    quiet.nested = true;
    if (!add(quiet, n.body, depth, executions)) return false;
  }
  return true;
}

bool QuietLoops::add_call(QuietLoop& quiet, const Node& n, size_t depth, uint64_t per_turn) {
  const FileRule& file = files_[n.signature];
  const AccessRule& access = accesses_[n.signature];
  bool moves_handles = file.made || file.closes || file.path != FileRule::absent || file.enters_folder;
  if (moves_handles) return false;
  if (access.effect != AccessRule::Effect::none && access.effect != AccessRule::Effect::data) return false;
  if (file.handle && !n.parameters[file.handle.parameter].is_constant()) return false;
  if (!selects_evenly(quiet, n)) return false;
  quiet.selects |= selections_[n.signature].effect != SelectionEffect::none;
  if (!quiet.first) quiet.first = &n;
  quiet.calls.push_back({&n, per_turn});
  return access.effect == AccessRule::Effect::none || add_access(quiet, n, depth, per_turn);
}

/// Whether what the call selects, or moves of what was selected, moves by the same distance from turn to
/// turn. It doesn't if a turn begins with what the one before selected last.
bool QuietLoops::selects_evenly(QuietLoop& quiet, const Node& n) const {
  const SelectionRule& rule = selections_[n.signature];
  if (rule.effect == SelectionEffect::none) return true;
  auto constant = [&](const SelectionRule::Slot& s) { return !s || n.parameters[s.parameter].is_constant(); };
  bool same_variable = rule.effect != SelectionEffect::move_listed || rule.numbers.empty() ||
                       n.parameters[rule.numbers[0]].is_constant();
  bool even = constant(rule.handle) && constant(rule.made) && constant(rule.space) && same_variable &&
              std::all_of(rule.types.begin(), rule.types.end(), constant) &&
              std::all_of(n.parameters.begin(), n.parameters.end(),
                          [](const Value& v) { return v.is_constant() || is_plain_affine(v); });
  if (!even) return false;
  auto handle = [&](const SelectionRule::Slot& s) {
    return QuietLoop::Handle(s.handle_class, n.parameters[s.parameter].constant_value());
  };
  auto uses = [&](const SelectionRule::Slot& s) {
    if (s && !quiet.set.contains(handle(s))) quiet.found.insert(handle(s));
  };
  for (const SelectionRule::Slot& type : rule.types) uses(type);
  if (!rule.made && rule.effect != SelectionEffect::select) uses(rule.space);
  if (rule.moves_data() || rule.effect == SelectionEffect::copy ||
      rule.effect == SelectionEffect::give_space || rule.adds)
    uses(rule.handle);
  if (rule.moves_data()) return true;
  const SelectionRule::Slot& changed = rule.made ? rule.made : rule.handle;
  if (changed) quiet.set.insert(handle(changed));
  return !changed || !quiet.found.contains(handle(changed));
}

bool QuietLoops::add_access(QuietLoop& quiet, const Node& n, size_t depth, uint64_t per_turn) {
  const AccessRule& access = accesses_[n.signature];
  uint64_t bytes = 0;
  for (uint32_t k = 0; k < access.byte_parameters; ++k) {
    const Value& v = n.parameters[access.bytes + k];
    if (!v.is_constant() || v.constant_value() < 0) return false;
    bytes += static_cast<uint64_t>(v.constant_value());
  }
  if (!access.positioned) return true;
  if (!access.handle || !n.parameters[access.handle.parameter].is_constant()) return false;
  bool implicit = access.offset == AccessRule::absent;
  if (!implicit && !is_plain_affine(n.parameters[access.offset])) return false;
  int64_t slot = n.parameters[access.handle.parameter].constant_value();
  int64_t slope = implicit ? 0 : slope_at(n.parameters[access.offset], depth);
  if (!quiet.mover(access, slot, accesses_))
    quiet.movers.push_back({.node = &n, .slot = slot, .shift = slope, .implicit = implicit});
  auto* found = const_cast<QuietLoop::Mover*>(quiet.mover(access, slot, accesses_));
  if (found->implicit != implicit || (!implicit && found->shift != slope)) return false;
  if (implicit) found->shift = wrap_add(found->shift, static_cast<int64_t>(bytes * per_turn));
  (access.writes ? found->writes : found->reads) += per_turn;
  (access.writes ? found->bytes_written : found->bytes_read) += bytes * per_turn;
  return true;
}

}  // namespace refrain::measure
