// The events of a stream one by one, or whole nodes of its tree at a time, as long as nobody needs to look
// inside. A layer stream begins with those events of the outer stream that belong to its layer.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "trace/expand.hpp"
#include "trace/trace.hpp"

namespace refrain::compare {

/// Trees to run one after the other. With a layer, only its events count, at most `limit` of them.
struct Piece {
  const std::vector<trace::Node>& nodes;
  std::optional<std::string_view> layer{};
  uint64_t limit = UINT64_MAX;
};

class Sequence {
 public:
  /// The trees must outlive this.
  Sequence(const trace::Trace& trace, std::vector<Piece> pieces);

  /// Looks ahead. Afterwards event() or whole() is set; neither at the end.
  void settle();
  /// The next event, until take().
  const trace::Expander::Event* event() const { return event_.node ? &event_ : nullptr; }
  void take() { event_.node = nullptr; }
  /// Indices of the loops around event(), outermost first.
  std::span<const int64_t> indices() const { return expander_->indices(); }
  /// The next node of the uppermost list, as long as none of its events was looked at.
  const trace::Node* whole() const { return whole_; }
  void skip();   ///< goes past whole()
  void enter();  ///< goes into whole(); its events come next
  /// Values are missing: there are more events, but nobody knows them.
  bool damaged() const { return damaged_; }

 private:
  void look_for_event();
  void start_piece();

  const trace::Trace& trace_;
  std::vector<Piece> pieces_;
  size_t piece_ = 0;         ///< current one
  bool piece_open_ = false;  ///< its nodes are taken one by one
  size_t node_ = 0;          ///< next one of them
  uint64_t taken_ = 0;       ///< events looked at, where they are limited
  std::vector<trace::Node> entered_;
  std::unique_ptr<trace::Expander> expander_;
  trace::Expander::Event event_{nullptr, {}};
  const trace::Node* whole_ = nullptr;
  bool damaged_ = false;
};

}  // namespace refrain::compare
