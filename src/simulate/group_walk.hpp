// The program of one group of ranks, operation by operation: what it computes, transfers, asks of the
// metadata server and waits for, with the file, offset and size of every rank. Files are those of the
// application, which all its groups share.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulate/program.hpp"
#include "simulate/striping.hpp"
#include "simulate/value_spread.hpp"
#include "trace/expand.hpp"

namespace refrain::simulate {

/// A file that ranks share, or one for each rank of a group.
struct SimulatedFile {
  std::string path{};   ///< of the first rank's
  Layout layout{};      ///< likewise
  bool own = false;     ///< each rank has one
  bool shared = false;  ///< several ranks have opened the one
  uint64_t files = 1;
  int64_t read_cursor = 0;           ///< where calls that don't say where go on
  int64_t written_cursor = 0;        ///< likewise
  int64_t last_end = -1;             ///< of the last request, that of any rank
  std::optional<uint32_t> opener{};  ///< the first of the ranks that opened it first
};

/// The files of an application, and where the next one begins.
class FileTable {
 public:
  explicit FileTable(const Machine& machine) : machine_(machine) {}
  /// The one file at the path; a new one begins at the next target.
  size_t one(const std::string& path);
  /// The same, when these ranks open it.
  size_t open(const std::string& path, const std::vector<uint32_t>& ranks);
  /// Files of `count` ranks; known ones by `key`.
  size_t own(const std::string& key, const std::string& path, uint64_t count);
  SimulatedFile& operator[](size_t number) { return files_[number]; }
  size_t size() const { return files_.size(); }

 private:
  size_t make(const std::string& path, bool own, uint64_t count);
  const Machine& machine_;
  std::vector<SimulatedFile> files_;
  std::unordered_map<std::string, size_t> by_key_;
  uint64_t next_target_ = 0;
};

struct Operation {
  enum class Kind : uint8_t { end, compute, transfer, metadata, barrier };
  Kind kind = Kind::end;
  double before_s = 0;    ///< compute and communication before it
  bool writes = false;    ///< transfer
  bool together = false;  ///< transfer: collective
  bool once = false;      ///< transfer: of all that make it together one moves data, if they share the file
  bool placed = true;     ///< transfer: offsets are known; else they go to the end of what was written
  uint32_t signature = 0;
  uint64_t place = 0;  ///< which call it is, the same on all ranks that make it together
  const trace::RankSet* participants = nullptr;  ///< who makes it; empty: all of the process
  size_t file = 0;                               ///< transfer
  Spread offsets{};                              ///< transfer, if placed
  Spread sizes{};                                ///< transfer
};

/// Where a walk is in a loop: it begins turn `index` of `trips`.
struct Turn {
  size_t depth = 0;
  int64_t index = 0;
  int64_t trips = 0;
  size_t node = 0;  ///< the first event of the turn
  bool operator==(const Turn&) const = default;
};

class GroupWalk {
 public:
  GroupWalk(const Program& program, const Group& group, FileTable& files);
  ~GroupWalk();
  GroupWalk(const GroupWalk&) = delete;
  GroupWalk& operator=(const GroupWalk&) = delete;

  /// The next operation; the last one is `end`, with the time that is left before it.
  Operation next();
  /// If the operation last returned is the first of a turn, which. Of loops that turn together the outermost.
  const std::optional<Turn>& turn() const { return turn_; }
  /// Whether the operation last returned is in that turn.
  bool stands_in(const Turn& turn) const;
  /// Whether all turns of that loop are alike but for offsets and names, so that leap() may be called.
  bool may_leap(size_t depth);
  /// Moves on by so many turns, each of which moves file positions as the last one did.
  void leap(size_t depth, int64_t turns);

  uint64_t ranks() const { return group_.ranks.size(); }
  const Group& group() const { return group_; }
  bool damaged() const { return damaged_; }

 private:
  struct Place;
  struct Source;
  struct Handle {
    size_t file = 0;
    Spread position{};
    bool appends = false;
    bool has_view = false;
  };
  using Key = std::pair<uint32_t, int64_t>;

  bool event(Operation& operation);
  void note_turn(const Place& place);
  bool carry_out(Place& place, std::span<const int64_t> parameters, Operation& operation);
  void open(Place& place, std::span<const int64_t> parameters);
  void seek(Place& place, std::span<const int64_t> parameters);
  void transfer(Place& place, std::span<const int64_t> parameters, Operation& operation);
  Handle& handle(const measure::AccessRule::Slot& slot, std::span<const int64_t> parameters);
  Spread spread(Place& place, uint32_t parameter, std::span<const int64_t> parameters);
  bool turns_alike(const trace::Node& node, size_t depth) const;

  const Program& program_;
  const Group& group_;
  FileTable& files_;
  std::vector<std::unique_ptr<Source>> sources_;  ///< outer stream, stream of a layer
  size_t at_ = 0;
  std::map<Key, Handle> handles_;
  struct Snapshot {
    std::map<Key, Handle> before, now;
  };
  std::map<size_t, Snapshot> turns_;            ///< by depth: handles when the last two turns began
  std::unordered_map<int64_t, bool> together_;  ///< property lists
  std::vector<int64_t> indices_;
  std::optional<Turn> turn_;
  bool damaged_ = false;
};

}  // namespace refrain::simulate
