// The residue; see residue.hpp. Everything an entry adds to the indexes is undone when it is popped, so
// the indexes are a function of the entries alone and need not be saved.
#include "fold/residue.hpp"

#include <algorithm>

namespace refrain::fold {

int32_t& PositionMap::operator[](uint64_t key) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  size_t mask = slots_.size() - 1, i = mix64(key) & mask;
  while (slots_[i].used && slots_[i].key != key) i = (i + 1) & mask;
  if (!slots_[i].used) {
    slots_[i] = {key, -1, true};
    ++used_;
  }
  return slots_[i].position;
}

/// Keys without a position are dropped on the way.
void PositionMap::grow() {
  std::vector<Slot> old = std::move(slots_);
  size_t kept = static_cast<size_t>(
      std::count_if(old.begin(), old.end(), [](const Slot& s) { return s.position >= 0; }));
  size_t capacity = 64;
  while (capacity < 4 * (kept + 1)) capacity *= 2;
  slots_.assign(capacity, {});
  used_ = kept;
  for (const Slot& s : old) {
    if (s.position < 0) continue;
    size_t i = mix64(s.key) & (capacity - 1);
    while (slots_[i].used) i = (i + 1) & (capacity - 1);
    slots_[i] = s;
  }
}

void Residue::declare(uint32_t signature, Shape shape) {
  if (signature >= shapes_.size()) {
    shapes_.resize(signature + 1);
    last_event_.resize(signature + 1, -1);
  }
  shapes_[signature] = shape;
}

int32_t& Residue::last_position(const Entry& entry) {
  bool loop = entry.node && entry.node->loop;
  return loop ? last_loop_[entry.hash] : last_event_[entry.signature];
}

void Residue::push(Entry entry) {
  auto position = static_cast<int32_t>(entries_.size());
  if (grams_.empty()) grams_.assign(gram_slots, -1);
  size_t n = entries_.size();
  entry.gram = entry.hash;
  if (n > 0) {
    const Entry& before = entries_.back();
    entry.prefix = before.prefix * sequence_base + before.hash;
    entry.digrams = before.digrams + mix64(before.hash * 31 + entry.hash);
    for (size_t k = 1; k < 4 && k <= n; ++k) entry.gram = hash_combine(entry.gram, entries_[n - k].hash);
  }
  int32_t& last = last_position(entry);
  entry.previous = last;
  last = position;
  int32_t& gram = grams_[entry.gram & (gram_slots - 1)];
  entry.previous_gram = gram;
  gram = position;
  if (entry.node && entry.node->loop) loops_.push_back(static_cast<uint32_t>(position));
  entries_.push_back(std::move(entry));
}

void Residue::push_event(uint32_t signature, const int64_t* parameters, const Times& times) {
  Entry entry;
  entry.hash = event_hash(signature);
  entry.signature = signature;
  entry.offset = raw_.size();
  entry.gap_ns = times.gap_ns;
  entry.duration_ns = times.duration_ns;
  raw_.insert(raw_.end(), parameters, parameters + shapes_[signature].parameters);
  if (times.communication != nullptr) {  // few have any: those are nodes
    entry.node = make_node(entry);
    entry.node->timing.communication = *times.communication;
  }
  push(std::move(entry));
}

void Residue::push_node(Owned node) {
  if (!node->loop && node->executions == 1) {
    values_.clear();
    for (const Stream& s : node->parameters) values_.push_back(s.back());
    const trace::Timing& t = node->timing;
    return push_event(
        node->signature, values_.data(),
        {t.gap.sum_ns(), t.duration.sum_ns(), t.communication.empty() ? nullptr : &t.communication});
  }
  Entry entry;
  entry.hash = node->hash;
  entry.signature = node->signature;
  entry.offset = raw_.size();
  entry.node = std::move(node);
  push(std::move(entry));
}

Owned Residue::make_node(const Entry& entry) const {
  const Shape& shape = shapes_[entry.signature];
  Owned node = make_event(entry.signature, shape.bracket, shape.parameters);
  node->executions = 1;
  const int64_t* values = raw_parameters(entry);
  for (uint32_t i = 0; i < shape.parameters; ++i) node->parameters[i].push(values[i]);
  add_times(*node, {entry.gap_ns, entry.duration_ns});
  return node;
}

Owned Residue::pop() {
  Entry& entry = entries_.back();
  last_position(entry) = entry.previous;
  grams_[entry.gram & (gram_slots - 1)] = entry.previous_gram;
  if (entry.node && entry.node->loop) loops_.pop_back();
  Owned node = entry.node ? std::move(entry.node) : make_node(entry);
  raw_.resize(entry.offset);
  entries_.pop_back();
  return node;
}

LiveNode& Residue::node(size_t i) {
  Entry& entry = entries_[i];
  if (!entry.node) entry.node = make_node(entry);
  return *entry.node;
}

Sequence Residue::take(size_t from) {
  Sequence nodes(entries_.size() - from);
  for (size_t i = nodes.size(); i-- > 0;) nodes[i] = pop();
  return nodes;
}

uint64_t Residue::hash(size_t from, size_t to) {
  while (powers_.size() <= to - from) powers_.push_back(powers_.back() * sequence_base);
  uint64_t end = to < entries_.size() ? entries_[to].prefix
                                      : entries_[to - 1].prefix * sequence_base + entries_[to - 1].hash;
  return end - entries_[from].prefix * powers_[to - from];
}

uint64_t Residue::cyclic_hash(size_t from, size_t to) const {
  return entries_[to - 1].digrams - entries_[from].digrams +
         mix64(entries_[to - 1].hash * 31 + entries_[from].hash);
}

Brackets Residue::brackets(size_t from, size_t to, size_t& start) const {
  Brackets sum;
  start = 0;
  for (size_t i = from; i < to; ++i) {
    const Entry& e = entries_[i];
    uint32_t closes = sum.closes;
    if (e.node)
      sum.then(e.node->closes, e.node->opens);
    else
      sum.then(shapes_[e.signature].bracket == trace::Bracket::closes,
               shapes_[e.signature].bracket == trace::Bracket::opens);
    if (sum.closes > closes) start = i - from + 1;
  }
  return sum;
}

bool Residue::same(size_t a, size_t b, size_t n) const {
  for (size_t i = 0; i < n; ++i) {
    const Entry &x = entries_[a + i], &y = entries_[b + i];
    bool x_loop = is_loop(a + i), y_loop = is_loop(b + i);
    if (x.hash != y.hash || x_loop != y_loop) return false;
    if (x_loop ? !same_structure(*x.node, *y.node) : x.signature != y.signature) return false;
  }
  return true;
}

bool Residue::same(size_t i, const LiveNode& node) const {
  const Entry& e = entries_[i];
  if (e.node) return same_structure(*e.node, node);
  return !node.loop && e.signature == node.signature;
}

size_t Residue::memory() const {
  return entries_.capacity() * sizeof(Entry) + raw_.capacity() * sizeof(int64_t) + last_loop_.memory() +
         (grams_.capacity() + loops_.capacity() + last_event_.capacity()) * sizeof(int32_t) +
         powers_.capacity() * sizeof(uint64_t) + shapes_.capacity() * sizeof(Shape);
}

}  // namespace refrain::fold
