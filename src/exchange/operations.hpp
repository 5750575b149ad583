// What a rank does to files, operation by operation, as simulators of storage want it: pauses, opens, reads
// and writes with file, offset and size, closes, barriers. All other calls are time, which pauses contain.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/call_walk.hpp"
#include "exchange/file_tracker.hpp"

namespace refrain::exchange {

struct Operation {
  enum class Kind : uint8_t { end, pause, open, close, read, write, barrier };
  Kind kind = Kind::end;
  uint64_t file = 0;           ///< file_id of the path
  std::string_view path{};     ///< valid until the next operation
  int64_t offset = 0;          ///< read, write
  uint64_t bytes = 0;          ///< read, write
  uint64_t pause_ns = 0;       ///< pause
  bool is_placed = true;       ///< read, write: the trace says where; else behind what the rank moved before
  bool is_collective = false;  ///< read, write
};

struct OperationOptions {
  std::string layer{};     ///< of this layer; empty: what the program called
  uint64_t max_block = 0;  ///< larger transfers are several operations; 0: they aren't
};

/// The operations of one rank; of a trace without ranks, of the process with that number. Bytes per file and
/// direction are those of the trace. Memory is that of the rank's tree and of its files.
class RankOperations {
 public:
  /// `trace` and `facts`, its call_facts(), must outlive the walk.
  RankOperations(const trace::Trace& trace, const std::vector<CallFacts>& facts, uint32_t rank,
                 OperationOptions options);
  ~RankOperations();
  RankOperations(const RankOperations&) = delete;
  RankOperations& operator=(const RankOperations&) = delete;

  /// The next one; at the end, and from then on, `end`.
  Operation next();
  bool damaged() const { return damaged_; }

 private:
  bool begin_member();
  bool take(const Call& call);
  Operation piece();

  const trace::Trace& trace_;
  const std::vector<CallFacts>& facts_;
  OperationOptions options_;
  std::vector<Member> members_;
  size_t member_ = 0;
  trace::Process program_;
  std::unique_ptr<MemberWalk> walk_;
  std::unique_ptr<FileTracker> tracker_;
  FileTable files_;
  uint64_t pause_ns_ = 0;
  std::optional<Operation> ahead_;  ///< behind the pause, or what is left of a split transfer
  std::unordered_map<uint64_t, std::pair<int64_t, int64_t>> unplaced_;  ///< by file: read, written so far
  bool damaged_ = false;
};

}  // namespace refrain::exchange
