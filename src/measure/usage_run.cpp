// Running the calls of one rank. A quiet loop runs twice as it is; before the third turn all further turns
// but the last are added up at once (before the fourth if it selects something, because the first turn may
// find another selection than it leaves): figures are those of a turn times their number, and handles, files
// and walks move by as many shifts. Two turns show whether accesses follow each other, within a turn and from
// one to the next: these distances are linear in the index of the loop, so two equal ones settle all others.
#include "measure/usage_run.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "api/layers.hpp"
#include "measure/slope.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

constexpr int64_t most_turns_run = 3;  ///< of a loop, before others are leaped over

double mean_ns(const Node& node) {
  const Histogram& h = node.timing.duration;
  return h.count() == 0 ? 0 : static_cast<double>(h.sum_ns()) / static_cast<double>(h.count());
}

/// The parameters of a call that are constant; zero where they aren't.
std::vector<int64_t> constants_of(const Node& node) {
  std::vector<int64_t> values;
  values.reserve(node.parameters.size());
  for (const Value& v : node.parameters) values.push_back(v.is_constant() ? v.constant_value() : 0);
  return values;
}

}  // namespace

void FileFigures::add(const FileFigures& other, uint64_t times) {
  calls += other.calls * times;
  failed += other.failed * times;
  opens += other.opens * times;
  closes += other.closes * times;
  reads += other.reads * times;
  writes += other.writes * times;
  bytes_read += other.bytes_read * times;
  bytes_written += other.bytes_written * times;
  placed += other.placed * times;
  aligned += other.aligned * times;
  time_ns += other.time_ns * static_cast<double>(times);
  io_ns += other.io_ns * static_cast<double>(times);
}

void UsageRun::run(const std::vector<Node>& nodes, uint32_t thread, const std::string* layer, uint64_t limit,
                   bool leaps) {
  names_.begin_thread(thread);
  selections_.begin_thread(thread);
  quiet_.clear();
  past_.clear();
  marks_.clear();
  Expander expander(nodes);
  FilePositions positions(trace_.templates);
  std::vector<int64_t> parameters;
  uint64_t counted = 0;
  for (uint64_t idle = 0; counted < limit; --steps_) {
    if (steps_ == 0 || positions.full()) {
      complete_ = false;
      return;
    }
    Expander::Event e = expander.next();
    uint64_t more = expander.idle_steps() - std::exchange(idle, expander.idle_steps());
    steps_ -= std::min(steps_ - 1, more);
    if (!e.node) {
      complete_ &= !expander.damaged();
      return;
    }
    if (layer && !trace_.signatures[e.node->signature].in_stream_of(*layer)) continue;
    ++counted;
    parameters.assign(e.parameters.begin(), e.parameters.end());
    if (leaps) leap(expander, e, parameters, positions);
    call(e, parameters, positions);
  }
}

void UsageRun::count(const Node& node, uint64_t times, FileFigures& figures) const {
  const FileRule& file = tables_.files[node.signature];
  figures.calls += times;
  if (file.failed) figures.failed += times;
  if (file.opens()) figures.opens += times;
  double time = mean_ns(node) * static_cast<double>(times);
  figures.time_ns += time;
  if (api::layer_named(trace_.signatures[node.signature].layer).has_files) figures.io_ns += time;
}

/// A close counts for what its handle was made of: a file that was opened, or an object in it.
void UsageRun::add(const Node& node, NamedFiles::Place place, uint64_t times, FileFigures figures) {
  const FileRule& rule = tables_.files[node.signature];
  figures.closes = rule.closes && place.opened ? times : 0;
  all_.add(figures);
  (place.file == NamedFiles::none ? without_file_ : files_[place.file].figures).add(figures);
  if (place.object == NamedFiles::none) return;
  figures.opens = rule.opens_object() ? times : 0;
  figures.closes = rule.closes ? times : 0;
  objects_[place.object].add(figures);
}

void UsageRun::call(const Expander::Event& e, Parameters parameters, FilePositions& positions) {
  NamedFiles::Place place = names_.take(tables_.files[e.node->signature], parameters);
  FileFigures one;
  count(*e.node, 1, one);
  access(e, parameters, positions, one, place);
  add(*e.node, place, 1, one);
}

void UsageRun::access(const Expander::Event& e, Parameters parameters, FilePositions& positions,
                      FileFigures& figures, NamedFiles::Place place) {
  const AccessRule& rule = tables_.accesses[e.node->signature];
  const SelectionRule& selection = tables_.selections[e.node->signature];
  if (rule.effect != AccessRule::Effect::data) {
    selections_.take(selection, parameters, 0);
    return positions.apply(rule, parameters);
  }
  uint64_t bytes = 0;
  for (int64_t n : parameters.subspan(rule.bytes, rule.byte_parameters)) bytes += static_cast<uint64_t>(n);
  (rule.writes ? figures.writes : figures.reads) += 1;
  (rule.writes ? figures.bytes_written : figures.bytes_read) += bytes;
  part(selection, selections_.take(selection, parameters, bytes), place, rule.writes, bytes);
  AccessTotals unused;
  std::optional<FilePositions::Access> done = positions.access(rule, parameters, unused);
  if (!done) return;
  int64_t begin = wrap_sub(done->end, static_cast<int64_t>(bytes));
  figures.placed += 1;
  bool aligned = begin % alignment_bytes == 0;
  figures.aligned += aligned;
  Past& past = past_[e.node];
  past.begin = begin;
  past.aligned += aligned;
  if (place.file == NamedFiles::none) return;
  FileRun& run = files_[place.file];
  (rule.writes ? run.writes : run.reads).add(begin, done->end);
}

UsageRun::ArrayKey UsageRun::array_key(const SelectionRule& rule, NamedFiles::Place place, int64_t variable) {
  bool is_object = rule.effect == SelectionEffect::move_array;
  return {place.file, is_object ? place.object : NamedFiles::none, variable};
}

/// What is seen through views of different kinds is told apart as if it were variables.
int64_t UsageRun::number_of_view(const Slab& slab) {
  uint64_t hash = slab.dimensions.size();
  for (int64_t n : slab.of) hash = hash_combine(hash, static_cast<uint64_t>(n));
  return -2 - static_cast<int64_t>(hash >> 2);
}

/// Notes which part of an array, or of a file that is seen through MPI, an access moves.
void UsageRun::part(const SelectionRule& rule, const Selections::Part& part, NamedFiles::Place place,
                    bool writes, uint64_t bytes) {
  using Kind = Selections::Part::Kind;
  if (part.kind == Kind::none || place.file == NamedFiles::none || bytes == 0) return;
  if (part.kind == Kind::bytes) {
    FileRun& run = files_[place.file];
    (writes ? run.writes : run.reads).add(part.begin, wrap_add(part.begin, static_cast<int64_t>(bytes)));
    return;
  }
  bool is_view = rule.effect == SelectionEffect::move_seen && part.kind == Kind::slab;
  ArrayRun& run = arrays_[array_key(rule, place, is_view ? number_of_view(part.slab) : part.variable)];
  SlabWalk& walk = writes ? run.writes : run.reads;
  if (part.kind == Kind::slab)
    walk.add(part.slab, bytes);
  else
    walk.add_unknown(bytes);
}

const QuietLoop* UsageRun::begun(const Expander& expander, const Expander::Event& e, size_t& depth) {
  std::span<const int64_t> indices = expander.indices();
  depth = indices.size();
  while (depth > 0 && indices[depth - 1] == 0) --depth;
  if (depth == 0 || indices[--depth] > most_turns_run) return nullptr;
  const Node* around = expander.loop(depth);
  const QuietLoop* loop = around ? quiet_.find(*around, depth) : nullptr;
  return loop && loop->first == e.node && expander.may_leap(depth) ? loop : nullptr;
}

void UsageRun::leap(Expander& expander, const Expander::Event& e, std::vector<int64_t>& parameters,
                    FilePositions& positions) {
  size_t depth = 0;
  const QuietLoop* loop = begun(expander, e, depth);
  if (!loop) return;
  int64_t turn = expander.indices()[depth], turns_run = loop->selects ? most_turns_run : most_turns_run - 1;
  if (turn == turns_run - 1) mark(*loop);
  if (turn != turns_run) return;
  int64_t skipped = expander.trips()[depth] - 1 - turns_run;
  bool whole = std::all_of(loop->movers.begin(), loop->movers.end(),
                           [](const QuietLoop::Mover& m) { return m.shift % alignment_bytes == 0; });
  if (skipped <= 0 || (loop->nested && !whole) || !movers_apart(*loop)) return;
  skip(*loop, static_cast<uint64_t>(skipped), positions);
  expander.leap(depth, skipped);
  for (size_t i = 0; i < parameters.size(); ++i)
    if (e.node->parameters[i].form == Form::affine && e.node->parameters[i].is_plain())
      parameters[i] = wrap_add(parameters[i], wrap_mul(slope_at(e.node->parameters[i], depth), skipped));
}

void UsageRun::mark(const QuietLoop& loop) {
  Mark mark{.positions = selections_.positions()};
  for (const QuietLoop::Call& call : loop.calls) {
    mark.aligned.push_back(past_[call.node].aligned);
    const SelectionRule& rule = tables_.selections[call.node->signature];
    NamedFiles::Place place = rule.moves_data() ? place_of(*call.node) : NamedFiles::Place{};
    if (place.file == NamedFiles::none) continue;
    bool numbered = rule.effect == SelectionEffect::move_listed && !rule.numbers.empty();
    int64_t variable = numbered ? call.node->parameters[rule.numbers[0]].constant_value() : -1;
    bool seen = rule.effect == SelectionEffect::move_seen;  // through any view of the file
    auto array = arrays_.lower_bound(array_key(rule, place, seen ? INT64_MIN : variable));
    for (; array != arrays_.end() && array->first <= array_key(rule, place, variable); ++array)
      mark.arrays.insert(*array);
    if (seen) mark.files[place.file] = files_[place.file];
  }
  marks_[&loop] = std::move(mark);
}

/// Moves on what is no mover of the loop: selections, views, and what was read and written through them.
void UsageRun::leap_parts(const QuietLoop& loop, uint64_t turns) {
  auto found = marks_.find(&loop);
  if (found == marks_.end()) return;
  const Mark& mark = found->second;
  selections_.leap(mark.positions, turns);
  for (const auto& [key, before] : mark.arrays) {
    ArrayRun& run = arrays_[key];
    run.reads.leap(before.reads, turns);
    run.writes.leap(before.writes, turns);
  }
  for (const auto& [file, before] : mark.files) {
    auto leap = [&](AccessWalk& walk, const AccessWalk& was) {
      walk.leap(wrap_sub(walk.last_begin, was.last_begin), turns, walk.accesses - was.accesses,
                walk.bytes - was.bytes);
    };
    leap(files_[file].reads, before.reads);
    leap(files_[file].writes, before.writes);
  }
}

NamedFiles::Place UsageRun::place_of(const Node& node) {
  return names_.take(tables_.files[node.signature], constants_of(node));
}

/// Whether each of the loop's handles has a file of its own.
bool UsageRun::movers_apart(const QuietLoop& loop) {
  for (size_t i = 0; i < loop.movers.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (place_of(*loop.movers[i].node).file == place_of(*loop.movers[j].node).file) return false;
  return true;
}

/// How many of the accesses of a call in the turns to come begin at a multiple of the alignment.
uint64_t UsageRun::aligned_in(const QuietLoop& loop, const Node& call, uint64_t turns) const {
  const AccessRule& rule = tables_.accesses[call.signature];
  int64_t slot = call.parameters[rule.handle.parameter].constant_value();
  const QuietLoop::Mover* mover = loop.mover(rule, slot, tables_.accesses);
  auto past = past_.find(&call);
  if (!mover || past == past_.end()) return 0;
  int64_t shift = mover->shift % alignment_bytes, begin = past->second.begin % alignment_bytes;
  auto period = static_cast<uint64_t>(alignment_bytes / std::gcd(shift, alignment_bytes));
  uint64_t aligned = 0;
  for (uint64_t k = 1; k <= std::min(period, turns); ++k)
    if ((begin + shift * static_cast<int64_t>(k)) % alignment_bytes == 0) aligned += (turns - k) / period + 1;
  return aligned;
}

FileFigures UsageRun::figures_of(const QuietLoop& loop, size_t number, uint64_t turns) const {
  const QuietLoop::Call& call = loop.calls[number];
  const AccessRule& rule = tables_.accesses[call.node->signature];
  uint64_t times = turns * call.per_turn;
  FileFigures more;
  count(*call.node, times, more);
  if (rule.effect != AccessRule::Effect::data) return more;
  uint64_t bytes = 0;
  for (uint32_t k = 0; k < rule.byte_parameters; ++k)
    bytes += static_cast<uint64_t>(call.node->parameters[rule.bytes + k].constant_value());
  (rule.writes ? more.writes : more.reads) += times;
  (rule.writes ? more.bytes_written : more.bytes_read) += times * bytes;
  if (!rule.positioned) return more;
  more.placed += times;
  auto marks = marks_.find(&loop);
  auto past = past_.find(call.node);
  if (!loop.nested)
    more.aligned = aligned_in(loop, *call.node, turns);
  else if (marks != marks_.end() && past != past_.end())
    more.aligned = turns * (past->second.aligned - marks->second.aligned[number]);
  return more;
}

void UsageRun::move(const QuietLoop::Mover& m, uint64_t turns, FilePositions& positions) {
  std::vector<int64_t> constants = constants_of(*m.node);
  int64_t way = wrap_mul(m.shift, static_cast<int64_t>(turns));
  FilePositions::Handle& handle =
      positions.handles()[positions.handle(tables_.accesses[m.node->signature].handle, constants)];
  FilePositions::File& file = positions.files()[handle.file];
  if (m.implicit) handle.position = wrap_add(handle.position, way);
  file.end = std::max(file.end, wrap_add(file.end, way));
  NamedFiles::Place place = place_of(*m.node);
  if (place.file == NamedFiles::none) return;
  FileRun& run = files_[place.file];
  if (m.reads > 0) run.reads.leap(m.shift, turns, m.reads, m.bytes_read);
  if (m.writes > 0) run.writes.leap(m.shift, turns, m.writes, m.bytes_written);
}

void UsageRun::skip(const QuietLoop& loop, uint64_t turns, FilePositions& positions) {
  for (size_t k = 0; k < loop.calls.size(); ++k) {
    FileFigures more = figures_of(loop, k, turns);
    past_[loop.calls[k].node].aligned += more.aligned;
    const Node& node = *loop.calls[k].node;
    add(node, place_of(node), turns * loop.calls[k].per_turn, more);
  }
  for (const QuietLoop::Mover& m : loop.movers) move(m, turns, positions);
  leap_parts(loop, turns);
}

}  // namespace refrain::measure
