#include "measure/selections.hpp"

#include <algorithm>

#include "trace/column.hpp"

namespace refrain::measure {

using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

namespace {

/// A slab of lists, of which those that may be missing are empty.
std::optional<Slab> slab_of(const std::vector<int64_t>& start, const std::vector<int64_t>& stride,
                            const std::vector<int64_t>& count, const std::vector<int64_t>& block) {
  size_t n = start.size();
  auto fits = [&](const std::vector<int64_t>& l) { return l.empty() || l.size() == n; };
  if (n == 0 || count.size() != n || !fits(stride) || !fits(block)) return {};
  Slab slab;
  for (size_t d = 0; d < n; ++d)
    slab.dimensions.push_back(
        {start[d], stride.empty() ? 1 : stride[d], count[d], block.empty() ? 1 : block[d]});
  slab.simplify();
  return slab;
}

}  // namespace

HandleKey Selections::key(const SelectionRule::Slot& slot, Parameters parameters) const {
  int32_t thread = slot.thread == trace::Operand::own_thread ? thread_ : slot.thread;
  return {slot.handle_class, thread, parameters[slot.parameter]};
}

std::vector<int64_t> Selections::list(const SelectionRule& rule, size_t number, Parameters parameters) const {
  if (number >= rule.lists.size() || rule.lists[number].width == 0) return {};
  Parameters values = parameters.subspan(rule.lists[number].parameter, rule.lists[number].width);
  return {values.begin(), values.end()};
}

KnownLayout Selections::layout(const SelectionRule::Slot& type, Parameters parameters) const {
  if (!type) return type.predefined > 0 ? KnownLayout(TypeLayout::element(type.predefined)) : std::nullopt;
  auto found = types_.find(key(type, parameters));
  return found == types_.end() ? std::nullopt : found->second;
}

Selections::Part Selections::take(const SelectionRule& rule, Parameters parameters, uint64_t bytes) {
  switch (rule.effect) {
    case SelectionEffect::none:
      break;
    case SelectionEffect::forget:
      forget(rule, parameters);
      break;
    case SelectionEffect::copy:
      copy(rule, parameters);
      break;
    case SelectionEffect::make_space:
    case SelectionEffect::give_space:
    case SelectionEffect::make_array:
    case SelectionEffect::set_size:
      make_space(rule, parameters);
      break;
    case SelectionEffect::select:
      select(rule, parameters);
      break;
    case SelectionEffect::select_all:
      spaces_[key(rule.handle, parameters)].selected = Selected::all;
      break;
    case SelectionEffect::select_none:
      spaces_[key(rule.handle, parameters)].selected = Selected::nothing;
      break;
    case SelectionEffect::repeat_type:
    case SelectionEffect::stride_type:
    case SelectionEffect::cut_type:
    case SelectionEffect::resize_type:
      types_[key(rule.made, parameters)] = made_type(rule, parameters);
      break;
    case SelectionEffect::set_view:
      set_view(rule, parameters);
      break;
    case SelectionEffect::seek:
      seek(rule, parameters);
      break;
    case SelectionEffect::move_array:
      return array_part(rule, parameters);
    case SelectionEffect::move_listed:
      return listed_part(rule, parameters);
    case SelectionEffect::move_seen:
      return seen_part(rule, parameters, bytes);
  }
  return {};
}

void Selections::forget(const SelectionRule& rule, Parameters parameters) {
  if (!rule.made && !rule.handle) return;
  HandleKey which = key(rule.made ? rule.made : rule.handle, parameters);
  types_.erase(which);
  views_.erase(which);
  if (rule.made)
    spaces_.erase(which);
  else if (auto space = spaces_.find(which); space != spaces_.end())
    space->second.selected = Selected::unknown;
}

void Selections::copy(const SelectionRule& rule, Parameters parameters) {
  HandleKey from = key(rule.handle, parameters), to = key(rule.made, parameters);
  if (auto space = spaces_.find(from); space != spaces_.end())
    spaces_[to] = Space(space->second);
  else
    spaces_.erase(to);
  if (auto type = types_.find(from); type != types_.end())
    types_[to] = KnownLayout(type->second);
  else
    types_.erase(to);
}

/// A space or an array that has its size from a list, a space or an array.
void Selections::make_space(const SelectionRule& rule, Parameters parameters) {
  Space made;
  bool from_list = rule.effect == SelectionEffect::make_space || rule.effect == SelectionEffect::set_size;
  if (from_list) {
    made.size = list(rule, 0, parameters);
  } else {
    auto from =
        spaces_.find(key(rule.effect == SelectionEffect::make_array ? rule.space : rule.handle, parameters));
    if (from != spaces_.end()) made.size = from->second.size;
  }
  spaces_[key(rule.effect == SelectionEffect::set_size ? rule.handle : rule.made, parameters)] =
      std::move(made);
}

void Selections::select(const SelectionRule& rule, Parameters parameters) {
  Space& space = spaces_[key(rule.handle, parameters)];
  std::optional<Slab> slab = slab_of(list(rule, 0, parameters), list(rule, 1, parameters),
                                     list(rule, 2, parameters), list(rule, 3, parameters));
  if (slab && rule.adds && space.selected != Selected::nothing)
    slab = space.selected == Selected::slab ? united(space.slab, *slab) : std::nullopt;
  space.selected = slab ? Selected::slab : Selected::unknown;
  if (!slab) return;
  space.slab = std::move(*slab);
  space.slab.of = space.size;
}

KnownLayout Selections::made_type(const SelectionRule& rule, Parameters parameters) const {
  KnownLayout type = layout(rule.types[0], parameters);
  if (!type) return {};
  auto number = [&](size_t i) { return parameters[rule.numbers[i]]; };
  if (rule.effect == SelectionEffect::repeat_type) return repeated(*type, number(0));
  if (rule.effect == SelectionEffect::stride_type)
    return strided(*type, number(0), number(1), number(2), rule.in_bytes);
  if (rule.effect == SelectionEffect::resize_type) return resized(*type, number(0), number(1));
  std::vector<int64_t> lists[3];
  for (size_t i = 0; i < 3; ++i) {
    lists[i] = list(rule, i, parameters);
    if (rule.last_is_slowest) std::reverse(lists[i].begin(), lists[i].end());
  }
  return cut(*type, lists[0], lists[1], lists[2]);
}

Selections::View& Selections::view(const SelectionRule& rule, Parameters parameters) {
  auto [entry, is_new] = views_.try_emplace(key(rule.handle, parameters));
  if (is_new) {
    entry->second.position = positions_.size();
    positions_.push_back(0);
  }
  return entry->second;
}

void Selections::set_view(const SelectionRule& rule, Parameters parameters) {
  View& v = view(rule, parameters);
  KnownLayout element = layout(rule.types[0], parameters), file = layout(rule.types[1], parameters);
  v.before = parameters[rule.offset];
  v.unit = element ? element->bytes() : 0;
  v.has_gaps = file && file->run() == 0;
  v.known = file.has_value();
  v.type = file;
  positions_[v.position] = 0;
}

void Selections::seek(const SelectionRule& rule, Parameters parameters) {
  View& v = view(rule, parameters);
  int64_t way = wrap_mul(parameters[rule.offset], v.unit);
  v.known &= v.unit > 0 && rule.whence != AccessRule::Whence::end;
  int64_t& position = positions_[v.position];
  position = rule.whence == AccessRule::Whence::current ? wrap_add(position, way) : way;
}

Selections::Part Selections::array_part(const SelectionRule& rule, Parameters parameters) const {
  auto array = spaces_.find(key(rule.handle, parameters));
  std::vector<int64_t> size = array == spaces_.end() ? std::vector<int64_t>() : array->second.size;
  if (!rule.space) return {.kind = Part::Kind::slab, .slab = Slab::all(size)};
  auto space = spaces_.find(key(rule.space, parameters));
  if (space == spaces_.end() || space->second.selected == Selected::unknown)
    return {.kind = Part::Kind::unknown};
  if (space->second.selected == Selected::nothing) return {};
  if (space->second.selected == Selected::all)
    return {.kind = Part::Kind::slab, .slab = Slab::all(space->second.size)};
  return {.kind = Part::Kind::slab, .slab = space->second.slab};
}

Selections::Part Selections::listed_part(const SelectionRule& rule, Parameters parameters) const {
  std::vector<int64_t> start = list(rule, 0, parameters), count = list(rule, 1, parameters);
  if (rule.lists.size() == 1) count.assign(start.size(), 1);
  std::optional<Slab> slab = slab_of(start, list(rule, 2, parameters), count, {});
  Part part{.kind = slab || rule.whole ? Part::Kind::slab : Part::Kind::unknown};
  if (slab) part.slab = std::move(*slab);
  if (!rule.numbers.empty()) part.variable = parameters[rule.numbers[0]];
  return part;
}

Selections::Part Selections::seen_part(const SelectionRule& rule, Parameters parameters, uint64_t bytes) {
  View& v = view(rule, parameters);
  bool at_position = rule.offset == SelectionRule::absent;
  int64_t& position = positions_[v.position];
  int64_t at = at_position ? position : wrap_mul(parameters[rule.offset], v.unit);
  auto length = static_cast<int64_t>(bytes);
  if (at_position && !rule.is_shared) position = wrap_add(position, length);
  if (!v.known || rule.is_shared || (!at_position && v.unit == 0)) return {.kind = Part::Kind::unknown};
  if (!v.has_gaps) return {.kind = Part::Kind::bytes, .begin = wrap_add(v.before, at)};
  std::optional<Slab> slab = seen_through(*v.type, at, length);
  if (!slab) return {.kind = Part::Kind::unknown};
  slab->before = wrap_add(slab->before, v.before);
  if (slab->dimensions.size() == 1 && slab->before % v.type->unit == 0) {  // as elements of the file
    slab->dimensions[0].start = wrap_add(slab->dimensions[0].start, slab->before / v.type->unit);
    slab->before = 0;
    slab->of.clear();
  }
  return {.kind = Part::Kind::slab, .slab = std::move(*slab)};
}

Selections::Positions Selections::positions() const { return positions_; }

void Selections::leap(const Positions& before, uint64_t turns) {
  for (size_t i = 0; i < before.size() && i < positions_.size(); ++i)
    positions_[i] =
        wrap_add(positions_[i], wrap_mul(wrap_sub(positions_[i], before[i]), static_cast<int64_t>(turns)));
}

}  // namespace refrain::measure
