// Finding nested strides in a set of ranks. The sorted ranks start as blocks without levels; each pass
// joins stretches of neighboring blocks that have the same shape and equally spaced firsts into one block
// with one level more, until nothing joins any more:
//
//     0 1 2 3 16 17 18 19 32 33 34 35      twelve blocks
//     [0..3] [16..19] [32..35]             three blocks with level (4, 1)
//     [(0..3) + 0..32 step 16]             one block with levels (3, 16), (4, 1)
//
// A stretch of two gives way when its second block starts a longer stretch (0, 16 17 18 19 and not
// 0 16, 17 18 19). The result depends on the set alone, so equal sets have equal descriptions. Blocks never
// overlap, and the extent of an inner level is always smaller than the stride around it.
#include "trace/rank_set.hpp"

#include <algorithm>

namespace refrain::trace {
namespace {

using Block = RankSet::Block;
using Stride = RankSet::Stride;

/// What stands in the file for the first rank of a set that has a law.
constexpr uint64_t instead_of_a_rank = RankSet::max_rank + 1;

/// Number of blocks from `at` on with the same levels and equally spaced firsts.
size_t stretch(const std::vector<Block>& blocks, size_t at) {
  size_t n = 1;
  while (at + n < blocks.size() && blocks[at + n].levels == blocks[at].levels &&
         blocks[at + n].first - blocks[at + n - 1].first == blocks[at + 1].first - blocks[at].first)
    ++n;
  return n;
}

std::vector<Block> join(const std::vector<Block>& blocks) {
  std::vector<Block> out;
  for (size_t at = 0; at < blocks.size();) {
    size_t n = stretch(blocks, at);
    if (n == 2 && stretch(blocks, at + 1) > 2) n = 1;
    Block block = blocks[at];
    if (n > 1) block.levels.insert(block.levels.begin(), Stride{n, blocks[at + 1].first - blocks[at].first});
    out.push_back(std::move(block));
    at += n;
  }
  return out;
}

/// The first pass, over ranks that are given as maximal runs: between two ranks of a run the distance is 1,
/// from the last of a run to the next rank it is more.
class FirstPass {
 public:
  explicit FirstPass(const std::vector<RankSet::Run>& runs) : runs_(runs) {}

  std::vector<Block> blocks() const {
    std::vector<Block> out;
    for (Place at{0, 0}; at.run < runs_.size();) {
      uint64_t n = stretch(at);
      if (n == 2 && stretch(after(at, 1)) > 2) n = 1;
      Block block{rank(at), {}};
      if (n > 1) block.levels.push_back({n, rank(after(at, 1)) - rank(at)});
      out.push_back(std::move(block));
      at = after(at, n);
    }
    return out;
  }

 private:
  struct Place {
    size_t run;
    uint64_t offset;
  };
  uint64_t length(size_t run) const { return uint64_t{runs_[run].end} - runs_[run].first; }
  uint64_t rank(const Place& at) const { return runs_[at.run].first + at.offset; }
  Place after(Place at, uint64_t n) const {
    for (at.offset += n; at.run < runs_.size() && at.offset >= length(at.run); ++at.run)
      at.offset -= length(at.run);
    return at;
  }
  /// Ranks from `at` on that are equally spaced.
  uint64_t stretch(const Place& at) const {
    if (at.run == runs_.size()) return 0;
    if (uint64_t left = length(at.run) - at.offset; left > 1) return left;
    uint64_t n = 1, before = rank(at);
    for (size_t next = at.run + 1; next < runs_.size(); ++next) {
      uint64_t first = runs_[next].first;
      if (n > 1 && first - before != uint64_t{runs_[at.run + 1].first} - rank(at)) break;
      ++n;
      before = first;
      if (length(next) > 1) break;
    }
    return n;
  }

  const std::vector<RankSet::Run>& runs_;
};

/// Largest rank of a block.
uint64_t last_of(const Block& block) {
  uint64_t last = block.first;
  for (const Stride& level : block.levels) last += (level.count - 1) * level.stride;
  return last;
}

uint64_t size_of(const Block& block) {
  uint64_t n = 1;
  for (const Stride& level : block.levels) n *= level.count;
  return n;
}

/// Whether `next` is what a further repetition of `whole`'s outermost level would be; `inner` is where the
/// levels of one repetition begin.
bool repeats(const Block& whole, size_t inner, const Block& next) {
  return std::equal(whole.levels.begin() + static_cast<std::ptrdiff_t>(inner), whole.levels.end(),
                    next.levels.begin(), next.levels.end());
}

/// Makes one block of two neighbors if they are repetitions of the same; false if they aren't.
bool fuse(Block& a, const Block& b) {
  uint64_t distance = b.first - a.first;
  bool a_open = !a.levels.empty(), b_open = !b.levels.empty();
  if (a_open && distance == a.levels[0].count * a.levels[0].stride) {
    if (repeats(a, 1, b)) return ++a.levels[0].count, true;
    if (b_open && b.levels[0].stride == a.levels[0].stride && a.levels.size() == b.levels.size() &&
        std::equal(a.levels.begin() + 1, a.levels.end(), b.levels.begin() + 1))
      return a.levels[0].count += b.levels[0].count, true;
  }
  if (b_open && distance == b.levels[0].stride && repeats(b, 1, a)) {
    a.levels = b.levels;
    ++a.levels[0].count;
    return true;
  }
  return false;
}

/// Appends a block behind the others and joins what has become regular by that.
void append_block(std::vector<Block>& blocks, Block block) {
  while (!blocks.empty()) {
    Block& before = blocks.back();
    bool alike = before.levels == block.levels;
    if (!fuse(before, block)) {
      if (!alike) break;
      before.levels.insert(before.levels.begin(), {2, block.first - before.first});
    }
    block = std::move(before);
    blocks.pop_back();
  }
  blocks.push_back(std::move(block));
}

/// The ranks of the levels from `d` on, the first of which is `first`.
void expand_levels(std::vector<uint32_t>& ranks, const Block& block, size_t d, uint64_t first) {
  if (d == block.levels.size()) return ranks.push_back(static_cast<uint32_t>(first));
  for (uint64_t k = 0; k < block.levels[d].count; ++k)
    expand_levels(ranks, block, d + 1, first + k * block.levels[d].stride);
}

/// The same as runs, behind those that are there.
void add_runs(std::vector<RankSet::Run>& runs, const Block& block, size_t d, uint64_t first) {
  size_t left = block.levels.size() - d;
  bool dense = left == 1 && block.levels[d].stride == 1;
  if (left > 0 && !dense) {
    for (uint64_t k = 0; k < block.levels[d].count; ++k)
      add_runs(runs, block, d + 1, first + k * block.levels[d].stride);
    return;
  }
  auto begin = static_cast<uint32_t>(first),
       end = static_cast<uint32_t>(first + (dense ? block.levels[d].count : 1));
  if (!runs.empty() && runs.back().end == begin)
    runs.back().end = end;
  else
    runs.push_back({begin, end});
}

bool block_contains(const Block& block, uint64_t rank) {
  if (rank < block.first) return false;
  uint64_t rest = rank - block.first;
  for (const Stride& level : block.levels)
    rest -= std::min(rest / level.stride, level.count - 1) * level.stride;
  return rest == 0;
}

std::string interval(uint64_t first, const Stride& level) {
  std::string text = std::to_string(first) + ".." + std::to_string(first + (level.count - 1) * level.stride);
  if (level.stride != 1) text += " step " + std::to_string(level.stride);
  return text;
}

std::string block_text(const Block& block) {
  if (block.levels.empty()) return std::to_string(block.first);
  std::string text = interval(block.first, block.levels.back());
  for (size_t d = block.levels.size() - 1; d-- > 0;)
    text = "(" + text + ") + " + interval(0, block.levels[d]);
  return text;
}

/// Levels must nest without overlap and stay within max_rank; that also bounds their number to 31.
bool well_formed(const Block& block) {
  uint64_t extent = 0;
  for (size_t d = block.levels.size(); d-- > 0;) {
    const Stride& level = block.levels[d];
    if (level.count < 2 || level.count > RankSet::max_rank || level.stride <= extent ||
        level.stride > RankSet::max_rank)
      return false;
    extent += (level.count - 1) * level.stride;
    if (extent > RankSet::max_rank) return false;
  }
  return block.first + extent <= RankSet::max_rank;
}

Block read_block(ByteReader& in, uint64_t first) {
  Block block{first, {}};
  if (first > RankSet::max_rank) in.fail("rank out of range");
  size_t levels = in.bounded(31, "rank set nested too deeply");
  for (size_t d = 0; d < levels && in.ok(); ++d) {
    uint64_t count = in.varint();
    block.levels.push_back({count, in.varint()});
  }
  if (in.ok() && !well_formed(block)) in.fail("malformed rank set");
  return block;
}

}  // namespace

RankSet RankSet::of(std::vector<uint32_t> ranks) {
  if (!std::is_sorted(ranks.begin(), ranks.end())) std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::vector<Run> runs;
  for (uint32_t rank : ranks) {
    if (!runs.empty() && runs.back().end == rank)
      ++runs.back().end;
    else
      runs.push_back({rank, rank + 1});
  }
  return of_runs(runs);
}

RankSet RankSet::of_runs(const std::vector<Run>& runs) {
  RankSet set;
  set.blocks_ = FirstPass(runs).blocks();
  for (size_t before = set.blocks_.size() + 1; set.blocks_.size() < before;) {
    before = set.blocks_.size();
    set.blocks_ = join(set.blocks_);
  }
  return set;
}

RankSet RankSet::where(RankExpression law) {
  RankSet set;
  set.law_ = std::make_shared<const RankExpression>(std::move(law));
  return set;
}

bool RankSet::operator==(const RankSet& other) const {
  if (blocks_ != other.blocks_ || !law_ != !other.law_) return false;
  return law_ == other.law_ || *law_ == *other.law_;
}

uint32_t RankSet::first() const { return blocks_.empty() ? 0 : static_cast<uint32_t>(blocks_.front().first); }
uint32_t RankSet::last() const {
  return blocks_.empty() ? 0 : static_cast<uint32_t>(last_of(blocks_.back()));
}

std::optional<uint64_t> RankSet::position(uint32_t rank) const {
  uint64_t before = 0;
  for (const Block& block : blocks_) {
    if (rank > last_of(block)) {
      before += size_of(block);
      continue;
    }
    if (rank < block.first) return {};
    uint64_t rest = rank - block.first, each = size_of(block);
    for (const Stride& level : block.levels) {
      uint64_t k = std::min(rest / level.stride, level.count - 1);
      each /= level.count;
      rest -= k * level.stride;
      before += k * each;
    }
    if (rest != 0) return {};
    return before;
  }
  return {};
}

uint32_t RankSet::at(uint64_t position) const {
  for (const Block& block : blocks_) {
    uint64_t each = size_of(block);
    if (position >= each) {
      position -= each;
      continue;
    }
    uint64_t rank = block.first;
    for (const Stride& level : block.levels) {
      each /= level.count;
      rank += position / each * level.stride;
      position %= each;
    }
    return static_cast<uint32_t>(rank);
  }
  return 0;
}

RankSet RankSet::united(const RankSet& other) const {
  RankSet set = *this;
  set.unite(other);
  return set;
}

void RankSet::unite(RankSet other) {
  if (other.empty()) return;
  if (empty() || other.last() < first()) std::swap(*this, other);
  if (other.empty()) return;
  if (last() < other.first()) {
    for (Block& block : other.blocks_) append_block(blocks_, std::move(block));
    return;
  }
  std::vector<uint32_t> ranks = expand(), more = other.expand();
  ranks.insert(ranks.end(), more.begin(), more.end());
  *this = of(std::move(ranks));
}

RankSet RankSet::canonical() const {
  bool simple = blocks_.size() <= 1 && (blocks_.empty() || blocks_[0].levels.size() <= 1);
  if (simple || size() > most_listed) return *this;
  std::vector<Run> runs;
  for (const Block& block : blocks_) add_runs(runs, block, 0, block.first);
  return of_runs(runs);
}

RankSet RankSet::range(uint32_t first, uint32_t count) {
  RankSet set;
  if (count == 0) return set;
  set.blocks_.push_back({first, {}});
  if (count > 1) set.blocks_[0].levels.push_back({count, 1});
  return set;
}

uint64_t RankSet::size() const {
  uint64_t total = 0;
  for (const Block& block : blocks_) total += size_of(block);
  return total;
}

bool RankSet::contains(uint32_t rank) const {
  auto after = std::upper_bound(blocks_.begin(), blocks_.end(), rank,
                                [](uint64_t r, const Block& block) { return r < block.first; });
  return after != blocks_.begin() && block_contains(*(after - 1), rank);
}

std::vector<uint32_t> RankSet::expand() const {
  std::vector<uint32_t> ranks;
  ranks.reserve(size());
  for (const Block& block : blocks_) expand_levels(ranks, block, 0, block.first);
  return ranks;
}

std::string RankSet::text() const {
  if (law_) return law_->is_constant(1) ? "0..P-1" : "where " + law_->text(ExpressionStyle{.spaced = true});
  std::string text;
  for (const Block& block : blocks_) text += (text.empty() ? "" : ", ") + block_text(block);
  return text;
}

void RankSet::write(ByteWriter& out) const {
  if (law_) {
    out.varint(1);
    out.varint(instead_of_a_rank);
    law_->write(out);
    return;
  }
  out.varint(blocks_.size());
  for (const Block& block : blocks_) {
    out.varint(block.first);
    out.varint(block.levels.size());
    for (const Stride& level : block.levels) {
      out.varint(level.count);
      out.varint(level.stride);
    }
  }
}

RankSet RankSet::read(ByteReader& in) {
  RankSet set;
  size_t n = in.count(2, "more rank intervals than bytes");
  for (size_t i = 0; i < n && in.ok(); ++i) {
    uint64_t first = in.varint();
    if (n == 1 && first == instead_of_a_rank) {
      RankExpression law = RankExpression::read(in);
      return in.ok() ? where(std::move(law)) : RankSet{};
    }
    Block block = read_block(in, first);
    if (in.ok() && i > 0 && block.first <= last_of(set.blocks_.back())) in.fail("rank intervals overlap");
    set.blocks_.push_back(std::move(block));
  }
  return in.ok() ? set : RankSet{};
}

}  // namespace refrain::trace
