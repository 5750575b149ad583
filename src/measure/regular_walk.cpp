// Leaping over iterations that repeat each other. Take
//
//     loop i 1000000
//       pwrite(fd0, data, 8, 16*i)
//       pwrite(fd0, data, 8, 16*i + 8)
//
// Whether an access is sequential depends on where it begins and on the last byte before it. From one
// iteration to the next both grow by 16, so the comparison comes out the same: all iterations but the first
// count alike. In general, an iteration repeats the one before it, shifted by a constant per file, if
//   - it opens and closes nothing, sizes and trip counts inside it don't depend on its index,
//   - all explicit offsets into a file grow by that constant,
//   - and so do the last bytes accessed and the positions used, from its beginning to its end.
// The first two can be read off the tree. For the last, the third iteration is watched: what it did to the
// files it touched is compared with what it found. If that is one constant per file, every later iteration
// finds the same again, and all are counted at once. Loops inside are treated the same way first.
#include "measure/regular_walk.hpp"
#include "measure/slope.hpp"

#include <algorithm>
#include <map>

namespace refrain::measure {

using namespace trace;

namespace {

using Effect = AccessRule::Effect;

constexpr int64_t watched_iteration = 2;
constexpr int64_t largest_place = int64_t{1} << 61;  ///< beyond, sums could wrap

bool is_small(int64_t place) { return place > -largest_place && place < largest_place; }

}  // namespace

/// What an iteration of the loop at `depth` does to the files it touches.
struct RegularWalk::Watch {
  struct File {
    FilePositions::File found;
    bool reads = false, writes = false;
    std::optional<int64_t> shift{};
    int64_t lowest = INT64_MAX, highest = INT64_MIN;  ///< ends of accesses
  };
  struct Handle {
    int64_t found;
    bool moves = false;
  };
  size_t depth;
  bool ok = true;
  std::map<size_t, File> files{};
  std::map<size_t, Handle> handles{};

  void require_shift(size_t file, int64_t shift) {
    File& f = files.at(file);
    ok &= f.shift.value_or(shift) == shift && is_small(shift);
    f.shift = shift;
  }
};

bool RegularWalk::matters(const Node& node) {
  if (node.kind == NodeKind::event) return rules_[node.signature].effect != Effect::none;
  auto [entry, is_new] = matters_.try_emplace(&node, false);
  if (!is_new) return entry->second;
  bool any = std::any_of(node.body.begin(), node.body.end(), [&](const Node& n) { return matters(n); });
  return matters_[&node] = any;
}

bool RegularWalk::fits(const std::vector<Node>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    if (!matters(node)) return true;
    auto is_affine = [](const Value& v) { return v.form == Form::affine && v.is_plain(); };
    if (node.kind == NodeKind::event)
      return std::all_of(node.parameters.begin(), node.parameters.end(), is_affine);
    return node.kind == NodeKind::loop && is_affine(node.count) && fits(node.body);
  });
}

bool RegularWalk::run(const std::vector<Node>& nodes, uint64_t& steps) {
  steps_left_ = steps;
  list(nodes);
  steps = steps_left_;
  return steps_left_ > 0;
}

int64_t RegularWalk::evaluate(const Value& v) const {
  int64_t sum = v.base.constant();
  for (size_t d = 0; d < indices_.size(); ++d) sum = wrap_add(sum, wrap_mul(slope_at(v, d), indices_[d]));
  return sum;
}

void RegularWalk::list(const std::vector<Node>& nodes) {
  for (const Node& node : nodes) {
    if (steps_left_ == 0) return;
    if (!matters(node)) continue;
    --steps_left_;
    node.kind == NodeKind::event ? event(node) : loop(node);
  }
}

void RegularWalk::event(const Node& node) {
  const AccessRule& rule = rules_[node.signature];
  parameters_.clear();
  for (const Value& v : node.parameters) parameters_.push_back(evaluate(v));
  for (Watch* watch : watches_) before(node, *watch);
  auto access = counter_.call(node.signature, parameters_);
  if (access) after(rule, *access);
}

void RegularWalk::before(const Node& node, Watch& watch) {
  const AccessRule& rule = rules_[node.signature];
  bool is_data = rule.effect == Effect::data;
  if (is_data && !rule.positioned) return;
  FilePositions& files = counter_.files();
  size_t number = files.handle(rule.handle, parameters_);
  const FilePositions::Handle& handle = files.handles()[number];
  auto& file = watch.files.try_emplace(handle.file, Watch::File{files.files()[handle.file]}).first->second;
  auto& entry = watch.handles.try_emplace(number, Watch::Handle{handle.position}).first->second;
  entry.moves |= !is_data || rule.offset == AccessRule::absent;
  if (is_data) (rule.writes ? file.writes : file.reads) = true;
  uint32_t decides = is_data ? rule.offset : rule.result != AccessRule::absent ? rule.result : rule.offset;
  bool relative = !is_data && rule.result == AccessRule::absent && rule.whence != AccessRule::Whence::start;
  if (relative) watch.ok &= rule.whence == AccessRule::Whence::current;
  if (!relative && decides != AccessRule::absent)
    watch.require_shift(handle.file, slope_at(node.parameters[decides], watch.depth));
  if (!is_data && decides == AccessRule::absent) watch.require_shift(handle.file, 0);
}

void RegularWalk::after(const AccessRule& rule, const FilePositions::Access& access) {
  if (watches_.empty()) return;
  FilePositions& files = counter_.files();
  const FilePositions::Handle& handle = files.handles()[files.handle(rule.handle, parameters_)];
  for (Watch* watch : watches_) {
    Watch::File& file = watch->files.at(handle.file);
    file.lowest = std::min(file.lowest, access.end);
    file.highest = std::max(file.highest, access.end);
  }
}

void RegularWalk::iteration(const Node& node, int64_t index) {
  indices_.back() = index;
  list(node.body);
}

void RegularWalk::loop(const Node& node) {
  int64_t trips = evaluate(node.count);
  if (trips <= 0) return;
  bool may_leap = trips > watched_iteration + 2 && repeats(node, indices_.size());
  indices_.push_back(0);
  for (int64_t i = 0; i < trips && steps_left_ > 0; ++i) {
    --steps_left_;
    if (!may_leap || i != watched_iteration)
      iteration(node, i);
    else if (leap(node, trips))
      break;
  }
  indices_.pop_back();
}

/// Whether nothing speaks against that iterations of a loop at `depth` repeat each other.
bool RegularWalk::repeats(const Node& node, size_t depth) const {
  return std::all_of(node.body.begin(), node.body.end(), [&](const Node& n) {
    if (n.kind != NodeKind::event) return slope_at(n.count, depth) == 0 && repeats(n, depth);
    const AccessRule& rule = rules_[n.signature];
    if (rule.effect == Effect::none) return true;
    if (rule.effect != Effect::data && rule.effect != Effect::seek) return false;
    auto is_fixed = [&](uint32_t parameter) { return slope_at(n.parameters[parameter], depth) == 0; };
    if (rule.handle && !is_fixed(rule.handle.parameter)) return false;
    for (uint32_t k = 0; k < rule.byte_parameters; ++k)
      if (!is_fixed(rule.bytes + k)) return false;
    bool relative = rule.effect == Effect::seek && rule.result == AccessRule::absent &&
                    rule.whence == AccessRule::Whence::current;
    return !relative || is_fixed(rule.offset);
  });
}

/// Runs the watched iteration, and counts all that follow it if they repeat it.
bool RegularWalk::leap(const Node& node, int64_t trips) {
  std::vector<AccessTotals> found = counter_.totals();
  Watch watch{.depth = indices_.size() - 1};
  watches_.push_back(&watch);
  iteration(node, watched_iteration);
  watches_.pop_back();
  int64_t left = trips - watched_iteration - 1;
  if (steps_left_ == 0 || !is_shifted(watch, left)) return false;
  shift(watch, left);
  for (size_t i = 0; i < found.size(); ++i) {
    AccessTotals once = counter_.totals()[i];
    once.subtract(found[i]);
    counter_.totals()[i].add(once, static_cast<uint64_t>(left));
  }
  return true;
}

/// Whether the iteration left everything as it found it but for a shift of each file, which can be repeated
/// `left` times.
bool RegularWalk::is_shifted(Watch& watch, int64_t left) {
  const auto& files = counter_.files().files();
  const auto& handles = counter_.files().handles();
  for (const auto& [number, seen] : watch.handles) {
    size_t file = handles[number].file;
    if (seen.moves) watch.require_shift(file, wrap_sub(handles[number].position, seen.found));
    if (handles[number].appends)
      watch.require_shift(file, wrap_sub(files[file].end, watch.files.at(file).found.end));
  }
  for (const auto& [number, seen] : watch.files) {
    if (seen.reads) watch.require_shift(number, wrap_sub(files[number].last_read, seen.found.last_read));
    if (seen.writes)
      watch.require_shift(number, wrap_sub(files[number].last_written, seen.found.last_written));
    int64_t way = 0;
    watch.ok &= !__builtin_mul_overflow(seen.shift.value_or(0), left, &way) && is_small(way);
    if (seen.reads || seen.writes) watch.ok &= is_small(seen.lowest) && is_small(seen.highest);
  }
  return watch.ok;
}

void RegularWalk::shift(const Watch& watch, int64_t left) {
  auto& handles = counter_.files().handles();
  for (const auto& [number, seen] : watch.handles)
    if (seen.moves) handles[number].position += watch.files.at(handles[number].file).shift.value_or(0) * left;
  for (const auto& [number, seen] : watch.files) {
    if (!seen.reads && !seen.writes) continue;
    int64_t way = seen.shift.value_or(0) * left;
    FilePositions::File& file = counter_.files().files()[number];
    if (seen.reads) file.last_read += way;
    if (seen.writes) file.last_written += way;
    file.end = std::max(file.end, seen.highest + way);
    for (Watch* outer : watches_) {
      Watch::File& entry = outer->files.at(number);
      entry.lowest = std::min(entry.lowest, seen.lowest + way);
      entry.highest = std::max(entry.highest, seen.highest + way);
    }
  }
}

}  // namespace refrain::measure
