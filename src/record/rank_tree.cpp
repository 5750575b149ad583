// The tree of ranks; see rank_tree.hpp.
#include "record/rank_tree.hpp"

#include "format/file.hpp"
#include "merge/merge_ranks.hpp"

namespace refrain::record {
namespace {

/// What a rank sends that has nothing to give.
constexpr uint8_t nothing[] = {0};

std::vector<uint8_t> message_of(const std::optional<trace::Trace>& trace) {
  if (trace) return format::encode_raw(*trace);
  return {std::begin(nothing), std::end(nothing)};
}

/// Unites `mine` with what came from the partner; nothing if either is missing.
std::optional<trace::Trace> united(std::optional<trace::Trace> mine,
                                   const std::optional<std::vector<uint8_t>>& message) {
  if (!mine || !message || message->size() <= sizeof nothing) return std::nullopt;
  auto theirs = format::decode_raw(*message);
  if (!theirs) return std::nullopt;
  return merge::merge_two(std::move(*mine), std::move(*theirs), {});
}

}  // namespace

std::optional<trace::Trace> merge_up(std::optional<trace::Trace> mine, uint32_t rank, uint32_t size,
                                     uint32_t patience_ms, Channel& channel) {
  uint32_t level = 0;
  for (uint64_t step = 1; step < size; step *= 2) {
    ++level;
    if (rank & step) {
      auto message = message_of(mine);
      channel.send(static_cast<uint32_t>(rank - step), message, patience_ms * (level + 1));
      return std::nullopt;
    }
    if (rank + step >= size) continue;
    auto message = channel.receive(static_cast<uint32_t>(rank + step), patience_ms * level);
    mine = united(std::move(mine), message);
  }
  return mine;
}

}  // namespace refrain::record
