// Files whose names differ only in their numbers are one group: one file per rank, or per step. The group
// that moves most bytes gives the pattern; everything else is named as a difference.
#include "exchange/access_shape.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "exchange/call_walk.hpp"
#include "exchange/file_tracker.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

/// How a rank went through one file in one direction.
struct Passage {
  int64_t run_start = 0, last_end = 0;
  bool begun = false;
  std::map<uint64_t, uint64_t> runs{};  ///< lengths of contiguous runs: how often
  std::set<int64_t> steps{};            ///< from the start of a run to that of the next, a few of them
  uint64_t accesses = 0, backward = 0;  ///< all, and those that begin before the end of the one before

  void add(int64_t offset, uint64_t bytes) {
    ++accesses;
    backward += begun && offset < last_end;
    if (begun && offset == last_end) {
      last_end += static_cast<int64_t>(bytes);
      return;
    }
    if (begun) {
      end_run();
      if (steps.size() < 4) steps.insert(offset - run_start);
    }
    begun = true;
    run_start = offset;
    last_end = offset + static_cast<int64_t>(bytes);
  }
  void end_run() { ++runs[static_cast<uint64_t>(last_end - run_start)]; }
  bool is_uneven() const { return steps.size() > 1 || runs.size() > 1; }
  /// Of offsets without any order, half go back.
  bool is_random() const { return is_uneven() && 4 * backward > accesses; }
};

struct FileGroup {
  std::string first_path{};
  uint64_t bytes = 0, written = 0, read = 0, collective = 0, transfers = 0, unplaced = 0;
  std::map<uint64_t, uint64_t> sizes{};                   ///< bytes moved in transfers of a size
  std::map<std::string, uint64_t> layers{};               ///< bytes
  std::map<size_t, uint64_t> users{};                     ///< file: the only rank that uses it, or `several`
  std::map<uint64_t, uint64_t> rank_bytes{};              ///< bytes of a rank: how many ranks
  std::map<std::pair<size_t, bool>, Passage> passages{};  ///< of one rank: file and direction
  std::map<uint64_t, uint64_t> runs{};  ///< of the passages: bytes in contiguous runs of a length
  uint64_t passage_count = 0, uneven = 0, random = 0, most_files = 0, most_transfers = 0;
  static constexpr uint64_t several = UINT64_MAX;

  uint64_t mean_bytes() const {
    uint64_t ranks = 0;
    for (const auto& [bytes_of_rank, count] : rank_bytes) ranks += count;
    return bytes / std::max<uint64_t>(1, ranks);
  }

  void end_rank(uint64_t bytes_of_rank, uint64_t transfers_of_rank) {
    if (passages.empty() && bytes_of_rank == 0) return;
    std::set<size_t> files;
    for (auto& [key, passage] : passages) {
      passage.end_run();
      files.insert(key.first);
      ++passage_count;
      uneven += passage.is_uneven();
      random += passage.is_random();
      for (const auto& [length, count] : passage.runs) runs[length] += length * count;
    }
    passages.clear();
    ++rank_bytes[bytes_of_rank];
    most_files = std::max<uint64_t>(most_files, files.size());
    most_transfers = std::max(most_transfers, transfers_of_rank);
  }
};

/// A path without its numbers.
std::string group_name(const std::string& path) {
  std::string name;
  for (char c : path)
    if (c < '0' || c > '9') name += c;
  return name;
}

uint64_t most_frequent(const std::map<uint64_t, uint64_t>& counts) {
  auto most = std::max_element(counts.begin(), counts.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? 0 : most->first;
}

class ShapeFinder {
 public:
  ShapeFinder(const Trace& trace, std::string layer)
      : trace_(trace), layer_(std::move(layer)), facts_(call_facts(trace)), ranks_(rank_count(trace)) {}

  Result<AccessShape> run() {
    walked_ = std::min(ranks_, most_walked_ranks);
    for (uint64_t i = 0; i < walked_; ++i) rank(static_cast<uint32_t>(i * ranks_ / walked_));
    auto most = std::max_element(groups_.begin(), groups_.end(), [](const auto& a, const auto& b) {
      return a.second.bytes < b.second.bytes;
    });
    if (most == groups_.end() || most->second.bytes == 0)
      return fail(ErrorKind::bad_input, "no data is read or written");
    return shape(most->second);
  }

 private:
  void rank(uint32_t number) {
    std::map<std::string, std::pair<uint64_t, uint64_t>> sums;  // by group: bytes, transfers
    for (const Member& member : members_of(trace_, number)) {
      Process program = program_of(member);
      MemberWalk walk(trace_, program, {layer_});
      FileTracker tracker(trace_, program, facts_, files_);
      for (Call call = walk.next(); call.signature != nullptr; call = walk.next()) {
        Access access = tracker.call(call);
        pause_ns_ += call.gap_ns;
        settles_ |= facts_[call.number].settles;
        other_calls_ += access.kind == Access::Kind::other;
        if (access.is_data() && access.file && access.bytes > 0) {
          auto& [bytes, transfers] = sums[transfer(number, call, access)];
          bytes += access.bytes;
          ++transfers;
        }
      }
    }
    for (auto& [name, group] : groups_) {
      auto found = sums.find(name);
      if (found != sums.end()) group.end_rank(found->second.first, found->second.second);
    }
  }

  std::string transfer(uint64_t rank, const Call& call, const Access& access) {
    const std::string& path = files_[*access.file].path;
    std::string name = group_name(path);
    FileGroup& group = groups_[name];
    if (group.first_path.empty()) group.first_path = path;
    group.bytes += access.bytes;
    (access.kind == Access::Kind::write ? group.written : group.read) += access.bytes;
    group.collective += access.together;
    ++group.transfers;
    group.sizes[access.bytes] += access.bytes;
    group.layers[call.signature->layer] += access.bytes;
    auto user = group.users.try_emplace(*access.file, rank).first;
    if (user->second != rank) user->second = FileGroup::several;
    group.unplaced += !access.offset;
    if (access.offset)
      group.passages[{*access.file, access.kind == Access::Kind::write}].add(*access.offset, access.bytes);
    return name;
  }

  AccessShape shape(const FileGroup& group) const {
    AccessShape s{.ranks = std::max<uint64_t>(1, ranks_), .path = group.first_path};
    s.layer = std::max_element(group.layers.begin(), group.layers.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
              })->first;
    s.is_shared = std::any_of(group.users.begin(), group.users.end(),
                              [](const auto& user) { return user.second == FileGroup::several; });
    s.writes = group.written > 0;
    s.reads = group.read > 0;
    s.is_collective = 2 * group.collective > group.transfers;
    s.settles = settles_;
    s.files = std::max<uint64_t>(1, group.most_files);
    s.transfer = most_frequent(group.sizes);
    s.transfers = group.most_transfers;
    s.is_random = 2 * group.random > group.passage_count;
    s.pause_s = static_cast<double>(pause_ns_) / 1e9 / static_cast<double>(walked_);
    place(s, group);
    differences(s, group);
    return s;
  }

  /// Blocks and segments: of the usual contiguous run, or all bytes as one where offsets aren't known.
  void place(AccessShape& s, const FileGroup& group) const {
    uint64_t directions = s.writes && s.reads ? 2 : 1;
    // IOR deals random offsets of a shared file out to all ranks, to some more than to others.
    uint64_t of_rank = s.is_random && s.is_shared ? group.mean_bytes() : group.rank_bytes.rbegin()->first;
    uint64_t per_file = of_rank / s.files / directions;
    uint64_t run = most_frequent(group.runs);
    if (run == 0 || s.is_random) run = per_file;
    s.transfer = std::max<uint64_t>(1, std::min(s.transfer, run));
    s.block = std::max(s.transfer, run - run % s.transfer);
    s.segments = std::max<uint64_t>(1, per_file / s.block);
  }

  void differences(AccessShape& s, const FileGroup& group) const {
    uint64_t all = 0, groups = 0;
    for (const auto& [name, other] : groups_) {
      all += other.bytes;
      groups += other.bytes > 0;
    }
    auto say = [&](std::string text) { s.differences.push_back(std::move(text)); };
    if (walked_ < ranks_) say(fmt::format("found on {} of {} ranks", walked_, ranks_));
    if (groups > 1)
      say(fmt::format("{} of {} bytes: {} other groups of files are left out", group.bytes, all, groups - 1));
    if (group.sizes.size() > 1)
      say(fmt::format("transfers have {} sizes; {} bytes of {} are moved by the one given",
                      group.sizes.size(), group.sizes.at(most_frequent(group.sizes)), group.bytes));
    if (group.rank_bytes.size() > 1)
      say(fmt::format("ranks move different amounts: {} to {} bytes", group.rank_bytes.begin()->first,
                      group.rank_bytes.rbegin()->first));
    if (group.unplaced > 0)
      say(fmt::format("{} transfers don't say where in their file they are; taken to be contiguous",
                      group.unplaced));
    if (s.is_random)
      say("offsets follow no constant step; taken to be random");
    else if (group.uneven > 0)
      say("offsets go forward, but not in constant steps; taken to be in blocks of one length");
    if (group.collective > 0 && group.collective < group.transfers)
      say(fmt::format("{} of {} transfers are collective", group.collective, group.transfers));
    if (s.writes && s.reads) say("reads and writes may alternate in the trace");
    if (s.pause_s > 0) say(fmt::format("{:.3g} s between calls on an average rank", s.pause_s));
    if (other_calls_ > 0) say(fmt::format("{} calls that move no data", other_calls_));
  }

  const Trace& trace_;
  std::string layer_;
  std::vector<CallFacts> facts_;
  FileTable files_;
  std::map<std::string, FileGroup> groups_;
  uint64_t ranks_, walked_ = 0, pause_ns_ = 0, other_calls_ = 0;
  bool settles_ = false;
};

}  // namespace

Result<AccessShape> access_shape(const Trace& trace, const std::string& layer) {
  return ShapeFinder(trace, layer).run();
}

}  // namespace refrain::exchange
