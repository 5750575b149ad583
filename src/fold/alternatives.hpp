// Programs that call a few procedures in an order without a rule leave a long residue that no loop describes.
// It is written as a loop over a choice: the distinct procedures are its arms, and one column says which
// of them runs when.
#pragma once

#include <optional>

#include "fold/explain.hpp"

namespace refrain::fold {

/// Shorter lists stay as they are.
constexpr size_t least_choice = 16;

/// Nodes that the irregular loops of the list would come to, written out.
uint64_t size_of_merged_loops(const Sequence& nodes);

/// The list as a loop over a choice with its neighbors before and after, if enough of it recurs.
/// `events` is how many events the list stands for, and bounds the time spent.
std::optional<std::vector<trace::Node>> as_choice(const Sequence& nodes, Signatures signatures,
                                                  uint64_t events, Effort& effort);

/// Whether a choice could be shorter than the `bytes` that the list takes with its irregular loops: less
/// than half of what such a loop holds runs in an iteration, and a selector would be short enough.
bool could_be_shorter(const Sequence& nodes, size_t bytes);

/// Bytes that the list takes at least, as it is.
size_t least_bytes(const Sequence& nodes);

}  // namespace refrain::fold
