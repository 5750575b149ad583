// Operations on live nodes; see tree.hpp. All recursion here is bounded by max_height.
#include "fold/tree.hpp"

#include <algorithm>

namespace refrain::fold {
namespace {

/// Creating or destroying a node costs about this many units of work.
constexpr uint64_t node_work = 16;

uint32_t clamped_sum(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

}  // namespace

Owned make_event(uint32_t signature, trace::Bracket bracket, uint32_t parameters) {
  auto node = std::make_unique<LiveNode>();
  node->signature = signature;
  node->closes = bracket == trace::Bracket::closes;
  node->opens = bracket == trace::Bracket::opens;
  node->parameters.resize(parameters);
  rehash(*node);
  return node;
}

Owned wrap(Sequence body, uint64_t entries) {
  auto loop = std::make_unique<LiveNode>();
  loop->loop = true;
  loop->body = std::move(body);
  loop->executions = entries;
  loop->counts.push_run(1, 0, entries);
  rehash(*loop);
  return loop;
}

Owned wrap(Owned node, uint64_t entries) {
  Sequence body;
  body.push_back(std::move(node));
  return wrap(std::move(body), entries);
}

void rehash(LiveNode& node) {
  if (!node.loop) {
    node.hash = node.key = event_hash(node.signature);
    node.bloom = bloom_of(node.signature);
    node.cost = 3 + 2 * static_cast<uint32_t>(node.parameters.size());
    return;
  }
  Brackets brackets;
  uint64_t strong = node.body.size();
  node.body_hash = node.bloom = 0;
  node.height = node.leaves = 0;
  node.cost = 3;
  for (const Owned& child : node.body) {
    node.body_hash = node.body_hash * sequence_base + child->hash;
    strong = hash_combine(strong, child->hash);
    brackets.then(child->closes, child->opens);
    node.height = std::max(node.height, child->height + 1);
    node.leaves = clamped_sum(node.leaves, child->leaves);
    node.cost = clamped_sum(node.cost, child->cost);
    node.bloom |= child->bloom;
  }
  node.closes = brackets.closes;
  node.opens = brackets.opens;
  node.hash = mix64(strong ^ 0x5bd1e9955bd1e995ULL);
  node.key = node.body.size() == 1 ? node.body[0]->key : node.hash;
}

bool same_structure(const LiveNode& a, const LiveNode& b) {
  if (a.hash != b.hash || a.loop != b.loop || a.signature != b.signature || a.body.size() != b.body.size() ||
      a.parameters.size() != b.parameters.size())
    return false;
  for (size_t i = 0; i < a.body.size(); ++i)
    if (!same_structure(*a.body[i], *b.body[i])) return false;
  return true;
}

void append(LiveNode& a, const LiveNode& b, uint64_t& work) {
  work += node_work;
  a.executions += b.executions;
  for (size_t i = 0; i < a.parameters.size(); ++i) a.parameters[i].append(b.parameters[i], work);
  if (!a.loop) {
    a.timing.merge(b.timing);
    return;
  }
  a.counts.append(b.counts, work);
  for (size_t i = 0; i < a.body.size(); ++i) append(*a.body[i], *b.body[i], work);
}

Owned extract_last(LiveNode& node, uint64_t n, uint64_t& work) {
  work += node_work;
  auto part = std::make_unique<LiveNode>();
  part->loop = node.loop;
  part->merged = node.merged;
  part->height = node.height;
  part->signature = node.signature;
  part->closes = node.closes, part->opens = node.opens;
  part->leaves = node.leaves, part->cost = node.cost;
  part->hash = node.hash, part->body_hash = node.body_hash, part->key = node.key, part->bloom = node.bloom;
  part->executions = n;
  node.executions -= n;
  part->parameters.reserve(node.parameters.size());
  for (Stream& s : node.parameters) part->parameters.push_back(s.split_tail(n, work));
  if (!node.loop) {
    part->timing = node.timing.split(n);
    return part;
  }
  part->counts = node.counts.split_tail(n, work);
  uint64_t iterations = static_cast<uint64_t>(part->counts.sum());
  part->body.reserve(node.body.size());
  for (Owned& child : node.body) part->body.push_back(extract_last(*child, iterations, work));
  return part;
}

Owned clone(const LiveNode& node) {
  auto copy = std::make_unique<LiveNode>();
  copy->loop = node.loop;
  copy->merged = node.merged;
  copy->adaptive = node.adaptive;
  copy->height = node.height;
  copy->signature = node.signature;
  copy->closes = node.closes, copy->opens = node.opens;
  copy->leaves = node.leaves, copy->cost = node.cost;
  copy->hash = node.hash, copy->body_hash = node.body_hash, copy->key = node.key, copy->bloom = node.bloom;
  copy->executions = node.executions;
  copy->parameters = node.parameters;
  copy->counts = node.counts;
  copy->timing = node.timing;
  copy->body.reserve(node.body.size());
  for (const Owned& child : node.body) copy->body.push_back(clone(*child));
  return copy;
}

void flatten(Owned node, Sequence& out) {
  if (node->executions == 0) return;
  if (!node->loop) {
    out.push_back(std::move(node));
    return;
  }
  uint64_t count = trips(*node);
  if (count == 0 && node->executions == 1) return;
  if (count != 1 || node->executions != 1) {
    out.push_back(std::move(node));
    return;
  }
  for (Owned& child : node->body) flatten(std::move(child), out);
}

void drop_idle(Sequence& nodes) {
  std::erase_if(nodes, [](Owned& node) {
    if (!node->loop) return node->executions == 0;
    size_t before = node->body.size();
    drop_idle(node->body);
    if (node->body.empty()) return true;
    if (node->body.size() < before) rehash(*node);
    return false;
  });
}

void set_trips(LiveNode& loop, uint64_t trips) {
  loop.counts = Stream::of(static_cast<int64_t>(trips));
  loop.executions = 1;
}

size_t memory(const LiveNode& node) {
  size_t bytes = sizeof(LiveNode) + node.counts.memory() + node.parameters.capacity() * sizeof(Stream) +
                 node.body.capacity() * sizeof(Owned);
  for (const Stream& s : node.parameters) bytes += s.memory();
  if (!node.loop) bytes += 2 * Histogram::bucket_count * sizeof(uint64_t);
  for (const Owned& child : node.body) bytes += memory(*child);
  return bytes;
}

}  // namespace refrain::fold
