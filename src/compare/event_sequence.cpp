#include "compare/event_sequence.hpp"

#include <algorithm>

namespace refrain::compare {
namespace {

using trace::Expander;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Value;

constexpr size_t events_at_once = 256;  ///< plain events entered together, as entering has its price

/// Copies tie the nodes of a list together: none can be run without the others.
bool has_copies(const std::vector<Node>& nodes) {
  auto is_copy = [](const Value& v) { return v.form == Form::copy; };
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& n) {
    return is_copy(n.count) || std::any_of(n.parameters.begin(), n.parameters.end(), is_copy);
  });
}

}  // namespace

Sequence::Sequence(const trace::Trace& trace, std::vector<Piece> pieces)
    : trace_(trace), pieces_(std::move(pieces)) {}

void Sequence::settle() {
  while (!event() && !whole_ && !damaged_ && piece_ < pieces_.size()) {
    if (expander_) {
      look_for_event();
      continue;
    }
    const auto& nodes = pieces_[piece_].nodes;
    if (!piece_open_) {
      start_piece();
    } else if (node_ < nodes.size()) {
      whole_ = &nodes[node_];
    } else {
      ++piece_;
      piece_open_ = false;
    }
  }
}

void Sequence::start_piece() {
  const Piece& piece = pieces_[piece_];
  node_ = 0;
  taken_ = 0;
  piece_open_ = true;
  if (!piece.layer && !has_copies(piece.nodes)) return;
  node_ = piece.nodes.size();
  expander_ = std::make_unique<Expander>(piece.nodes);
}

/// The next event of what is running; when there is none, nothing is running any more.
void Sequence::look_for_event() {
  const Piece& piece = pieces_[piece_];
  while (taken_ < piece.limit) {
    event_ = expander_->next();
    if (!event_.node) break;
    if (piece.layer && !trace_.signatures[event_.node->signature].in_stream_of(*piece.layer)) continue;
    ++taken_;
    return;
  }
  event_.node = nullptr;
  damaged_ = expander_->damaged();
  expander_.reset();
}

void Sequence::skip() {
  ++node_;
  whole_ = nullptr;
}

void Sequence::enter() {
  const auto& nodes = pieces_[piece_].nodes;
  auto is_event = [](const Node& n) { return n.kind == NodeKind::event; };
  auto begin = nodes.begin() + static_cast<std::ptrdiff_t>(node_);
  auto limit = begin + std::min<std::ptrdiff_t>(events_at_once, nodes.end() - begin);
  auto end = is_event(*begin) ? std::find_if_not(begin, limit, is_event) : begin + 1;
  entered_.assign(begin, end);
  expander_ = std::make_unique<Expander>(entered_);
  node_ += static_cast<size_t>(end - begin);
  whole_ = nullptr;
}

}  // namespace refrain::compare
