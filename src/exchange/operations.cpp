#include "exchange/operations.hpp"

#include <algorithm>

namespace refrain::exchange {

RankOperations::RankOperations(const trace::Trace& trace, const std::vector<CallFacts>& facts, uint32_t rank,
                               OperationOptions options)
    : trace_(trace), facts_(facts), options_(std::move(options)), members_(members_of(trace, rank)) {}

RankOperations::~RankOperations() = default;

/// Several processes of one rank, a program behind a shell for instance, follow each other.
bool RankOperations::begin_member() {
  if (member_ == members_.size()) return false;
  program_ = program_of(members_[member_++]);
  walk_ = std::make_unique<MemberWalk>(trace_, program_, StreamChoice{options_.layer});
  tracker_ = std::make_unique<FileTracker>(trace_, program_, facts_, files_);
  return true;
}

/// Whether the call is an operation, which then is ahead.
bool RankOperations::take(const Call& call) {
  Access access = tracker_->call(call);
  pause_ns_ += call.gap_ns;
  Operation operation;
  switch (access.kind) {
    case Access::Kind::other:
      pause_ns_ += call.duration_ns;
      return false;
    case Access::Kind::open:
      operation.kind = Operation::Kind::open;
      break;
    case Access::Kind::close:
      operation.kind = Operation::Kind::close;
      break;
    case Access::Kind::read:
      operation.kind = Operation::Kind::read;
      break;
    case Access::Kind::write:
      operation.kind = Operation::Kind::write;
      break;
    case Access::Kind::barrier:
      operation.kind = Operation::Kind::barrier;
      break;
  }
  if (access.file) {
    operation.file = files_[*access.file].id;
    operation.path = files_[*access.file].path;
  }
  if (access.is_data()) {
    operation.bytes = access.bytes;
    operation.is_collective = access.together;
    operation.is_placed = access.offset.has_value();
    auto& [read, written] = unplaced_[operation.file];
    int64_t& cursor = access.kind == Access::Kind::read ? read : written;
    operation.offset = access.offset.value_or(cursor);
    if (!access.offset) cursor += static_cast<int64_t>(access.bytes);
  }
  ahead_ = operation;
  return true;
}

Operation RankOperations::piece() {
  Operation operation = *ahead_;
  bool is_data = operation.kind == Operation::Kind::read || operation.kind == Operation::Kind::write;
  if (!is_data || options_.max_block == 0 || operation.bytes <= options_.max_block) {
    ahead_.reset();
    return operation;
  }
  operation.bytes = options_.max_block;
  ahead_->bytes -= options_.max_block;
  ahead_->offset += static_cast<int64_t>(options_.max_block);
  return operation;
}

Operation RankOperations::next() {
  while (!ahead_) {
    if (!walk_ && !begin_member()) break;
    Call call = walk_->next();
    if (call.signature == nullptr) {
      damaged_ |= walk_->damaged();
      walk_.reset();
      continue;
    }
    if (take(call)) break;
  }
  if (pause_ns_ > 0) {
    Operation pause{.kind = Operation::Kind::pause};
    pause.pause_ns = std::exchange(pause_ns_, 0);
    return pause;
  }
  return ahead_ ? piece() : Operation{};
}

}  // namespace refrain::exchange
