#include "measure/access_pattern.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "trace/column.hpp"

namespace refrain::measure {

using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

namespace {

bool is_strided(const AccessWalk& w) {
  return w.accesses > 1 && w.same_size && w.same_step && !w.consecutive;
}

/// What one rank did.
std::string walk_words(const AccessWalk& w) {
  if (w.accesses == 1) return "one access of " + size_words(w.bytes);
  std::string pieces = w.same_size
                           ? fmt::format("{} pieces of {}", count_words(w.accesses), size_words(w.size))
                           : fmt::format("{} pieces of different sizes", count_words(w.accesses));
  if (w.consecutive) return fmt::format("a contiguous block of {} in {}", size_words(w.bytes), pieces);
  if (!is_strided(w))
    return fmt::format("{} in {}, {}", size_words(w.bytes), pieces,
                       w.forward ? "front to back with gaps" : "in no regular order");
  if (w.step == 0) return fmt::format("the same {} {} times", size_words(w.size), count_words(w.accesses));
  if (w.step < 0) return pieces + ", backwards";
  return fmt::format("{}, one every {}", pieces, size_words(static_cast<uint64_t>(w.step)));
}

/// The distance between the beginnings of neighboring ranks, if it is the same between all; else nothing.
bool same_distance(const std::vector<RankWalk>& walks, int64_t& distance) {
  distance = wrap_sub(walks[1].walk.first, walks[0].walk.first);
  for (size_t k = 1; k < walks.size(); ++k)
    if (wrap_sub(walks[k].walk.first, walks[k - 1].walk.first) != distance) return false;
  return true;
}

/// Of ranks that each have one contiguous block: how the blocks lie.
std::string block_words(const std::vector<RankWalk>& walks, const std::string& who) {
  auto [least, most] = std::minmax_element(
      walks.begin(), walks.end(), [](const auto& a, const auto& b) { return a.walk.bytes < b.walk.bytes; });
  uint64_t bytes = least->walk.bytes;
  bool adjacent = true;
  for (size_t k = 1; k < walks.size(); ++k)
    adjacent &= walks[k].walk.first ==
                wrap_add(walks[k - 1].walk.first, static_cast<int64_t>(walks[k - 1].walk.bytes));
  if (bytes != most->walk.bytes)
    return fmt::format("{} a contiguous block of {} to {}{}", who, size_words(bytes),
                       size_words(most->walk.bytes), adjacent ? ", one behind the other" : "");
  std::string text = fmt::format("{} a contiguous block of {}", who, size_words(bytes));
  int64_t distance = 0;
  if (adjacent) return text;
  if (!same_distance(walks, distance)) return text + ", in no regular order of ranks";
  if (distance == 0) return fmt::format("{} the same {}", who, size_words(bytes));
  return distance > 0 ? fmt::format("{}, one every {}", text, size_words(static_cast<uint64_t>(distance)))
                      : text + ", backwards";
}

}  // namespace

void AccessWalk::add(int64_t begin, int64_t end) {
  int64_t length = wrap_sub(end, begin);
  if (accesses == 0) {
    first = begin;
    size = length;
  } else {
    int64_t here = wrap_sub(begin, last_begin);
    if (accesses == 1) step = here;
    same_step &= here == step;
    consecutive &= begin == last_end;
    forward &= begin >= last_end;
    same_size &= length == size;
  }
  ++accesses;
  bytes += static_cast<uint64_t>(length);
  last_begin = begin;
  last_end = end;
}

void AccessWalk::leap(int64_t shift, uint64_t turns, uint64_t accesses_per_turn, uint64_t bytes_per_turn) {
  int64_t way = wrap_mul(shift, static_cast<int64_t>(turns));
  accesses += turns * accesses_per_turn;
  bytes += turns * bytes_per_turn;
  last_begin = wrap_add(last_begin, way);
  last_end = wrap_add(last_end, way);
}

std::string pattern_words(std::vector<RankWalk> walks, uint64_t everyone) {
  std::erase_if(walks, [](const RankWalk& w) { return w.walk.accesses == 0; });
  if (walks.empty()) return {};
  std::sort(walks.begin(), walks.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  uint64_t ranks = 0;
  for (const RankWalk& w : walks) ranks += w.ranks;
  if (ranks == 1 && everyone > 1)
    return fmt::format("rank {} alone: {}", walks[0].rank, walk_words(walks[0].walk));
  if (ranks == 1) return walk_words(walks[0].walk);
  if (walks.size() == 1) walks.push_back(walks[0]);
  const AccessWalk one = walks[0].walk;
  std::string who = ranks >= everyone ? "each rank" : fmt::format("each of {} ranks", ranks);
  auto all = [&](auto is) { return std::all_of(walks.begin(), walks.end(), is); };
  if (all([](const RankWalk& w) { return w.walk.consecutive; })) return block_words(walks, who);
  bool alike = all([&](const RankWalk& w) {
    return is_strided(w.walk) && w.walk.size == one.size && w.walk.step == one.step;
  });
  int64_t distance = 0;
  bool even = same_distance(walks, distance);
  auto count = static_cast<int64_t>(walks.size());
  if (alike && even && distance == one.size && one.step == wrap_mul(count, one.size))
    return fmt::format("{} take turns, {} at a time",
                       ranks >= everyone ? "ranks" : fmt::format("{} ranks", ranks),
                       size_words(static_cast<uint64_t>(one.size)));
  if (alike && even && distance == 0) return fmt::format("{} the same: {}", who, walk_words(one));
  if (alike) return fmt::format("{} {}", who, walk_words(one));
  bool same_size = all([&](const RankWalk& w) { return w.walk.same_size && w.walk.size == one.size; });
  bool forward = all([](const RankWalk& w) { return w.walk.forward; });
  return fmt::format("{} pieces of {}, {}", who,
                     same_size ? size_words(static_cast<uint64_t>(one.size)) : "different sizes",
                     forward ? "front to back with gaps" : "in no regular order");
}

std::string count_words(uint64_t n) {
  std::string digits = std::to_string(n);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string size_words(uint64_t bytes) {
  struct Unit {
    uint64_t bytes;
    const char* name;
  };
  for (Unit u : {Unit{uint64_t{1} << 40, "TiB"}, Unit{uint64_t{1} << 30, "GiB"},
                 Unit{uint64_t{1} << 20, "MiB"}, Unit{uint64_t{1} << 10, "KiB"}}) {
    if (bytes < u.bytes) continue;
    if (bytes % u.bytes == 0) return fmt::format("{} {}", bytes / u.bytes, u.name);
    if (u.bytes > 1024 || bytes >= 10 * u.bytes)
      return fmt::format("{:.1f} {}", static_cast<double>(bytes) / static_cast<double>(u.bytes), u.name);
  }
  return bytes == 1 ? "1 byte" : count_words(bytes) + " bytes";
}

}  // namespace refrain::measure
