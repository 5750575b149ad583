// A search tree in the order in which Make-Pack tries packs: by used nodes, descending, equals by when they
// came to use so many. Each node knows the most free nodes and the most I/O time left in the tree below it,
// so that trees in which no pack can take a job are passed over.
//
// Where all packs are made for partitions of one size, free nodes grow along the order. Then only trees on
// the way to the first pack with enough nodes are looked into in vain, and a search is O(log n). Where sizes
// differ, a tree may have one pack with the nodes and another with the I/O time, and has to be looked into.
//
// The tree is a treap: its shape is that of a search tree into which packs came in the order of a random
// number each, here a hash of the pack's own number. Its depth is about 2 log2(n).
#include "schedule/pack_index.hpp"

#include <algorithm>

namespace refrain::schedule {

namespace {

/// The finalizer of MurmurHash3: one to one, so that no two packs have the same priority.
uint32_t priority(uint32_t pack) {
  pack = (pack ^ pack >> 16U) * 0x85ebca6bU;
  pack = (pack ^ pack >> 13U) * 0xc2b2ae35U;
  return pack ^ pack >> 16U;
}

}  // namespace

void PackIndex::sum_up(uint32_t root) {
  Node& node = nodes_[root];
  node.most_free = node.room.free;
  node.most_io = node.room.io;
  for (uint32_t child : {node.before, node.behind}) {
    if (child == none) continue;
    node.most_free = std::max(node.most_free, nodes_[child].most_free);
    node.most_io = std::max(node.most_io, nodes_[child].most_io);
  }
}

/// What stands before `at`, and what stands behind it.
PackIndex::Halves PackIndex::split(uint32_t root, const Node& at) {
  if (root == none) return {};
  Node& node = nodes_[root];
  if (precedes(node, at)) {
    Halves halves = split(node.behind, at);
    node.behind = halves.before;
    sum_up(root);
    return {root, halves.behind};
  }
  Halves halves = split(node.before, at);
  node.before = halves.behind;
  sum_up(root);
  return {halves.before, root};
}

uint32_t PackIndex::join(uint32_t before, uint32_t behind) {
  if (before == none) return behind;
  if (behind == none) return before;
  if (priority(before) > priority(behind)) {
    nodes_[before].behind = join(nodes_[before].behind, behind);
    sum_up(before);
    return before;
  }
  nodes_[behind].before = join(before, nodes_[behind].before);
  sum_up(behind);
  return behind;
}

uint32_t PackIndex::without(uint32_t root, uint32_t pack) {
  Node& node = nodes_[root];
  if (root == pack) return join(node.before, node.behind);
  uint32_t& child = precedes(nodes_[pack], node) ? node.before : node.behind;
  child = without(child, pack);
  sum_up(root);
  return root;
}

void PackIndex::add(uint32_t pack, const Room& room) {
  if (pack >= nodes_.size()) nodes_.resize(pack + 1);
  nodes_[pack] = {.room = room, .turn = turns_++};
  sum_up(pack);
  Halves halves = split(root_, nodes_[pack]);
  root_ = join(join(halves.before, pack), halves.behind);
}

void PackIndex::remove(uint32_t pack) { root_ = without(root_, pack); }

uint32_t PackIndex::find(uint32_t root, uint32_t nodes, Time io) const {
  if (root == none || nodes_[root].most_free < nodes || nodes_[root].most_io < io) return none;
  const Node& node = nodes_[root];
  uint32_t found = find(node.before, nodes, io);
  if (found != none) return found;
  if (node.room.free >= nodes && node.room.io >= io) return root;
  return find(node.behind, nodes, io);
}

std::optional<uint32_t> PackIndex::fullest(uint32_t nodes, Time io) const {
  uint32_t found = find(root_, nodes, io);
  if (found == none) return std::nullopt;
  return found;
}

}  // namespace refrain::schedule
