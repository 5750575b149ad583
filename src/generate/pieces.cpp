#include "generate/pieces.hpp"

#include <algorithm>

#include "api/hdf5/modules.hpp"
#include "api/table.hpp"
#include "generate/c_text.hpp"

namespace refrain::generate {
namespace {

using api::Trait;
using trace::Node;
using trace::NodeKind;
using trace::OperandKind;
using trace::Role;
using trace::Signature;
using trace::Trace;

bool is(const Signature& s, Trait trait) { return api::traits_of(s.function).has(trait); }

/// Whether the call prepares the opening of the file that follows.
bool is_setting(const Signature& s) { return api::hdf5_module(s.function) == api::Hdf5Module::property; }

/// A piece longer than this is cut anyway.
constexpr size_t longest_piece = 100;

/// What some nodes do: the facts from which their function gets a name.
struct Doing {
  bool reads = false, writes = false, removes = false, several = false;
  std::string path{};

  void look(const Trace& trace, const Node& node) {
    for (const Node& inner : node.body) look(trace, inner);
    if (node.kind != NodeKind::event) return;
    const Signature& s = trace.signatures[node.signature];
    auto bytes = [&](const trace::Operand& o) {
      reads |= o.role == Role::bytes_read;
      writes |= o.role == Role::bytes_written;
    };
    for (const auto& o : s.operands) bytes(o);
    bytes(s.result);
    removes |= is(s, Trait::removes_file);
    if (!opens_file(s)) return;
    std::string opened = path_of(trace, node, s);
    several |= !path.empty() && opened != path;
    if (path.empty()) path = opened;
  }

  static bool opens_file(const Signature& s) {
    bool names_file = s.bracket == trace::Bracket::opens && !s.operands.empty();
    return is(s, Trait::opens_file) && (names_file || api::layer_named(s.layer).has_objects);
  }

  /// The last component, without its numbers.
  static std::string path_of(const Trace& trace, const Node& node, const Signature& s) {
    size_t at = 0;
    for (const auto& o : s.operands) {
      if (o.kind == OperandKind::text && node.parameters[at].is_constant()) {
        const auto& t = trace.templates[static_cast<size_t>(node.parameters[at].constant_value())];
        std::string text;
        for (size_t k = 0; k < t.literals.size(); ++k) {
          text += t.literals[k];
          bool known = k < t.fields() && at + 1 + k < node.parameters.size() &&
                       node.parameters[at + 1 + k].is_constant();
          if (known) text += std::to_string(node.parameters[at + 1 + k].constant_value());
        }
        while (text.ends_with('/')) text.pop_back();
        size_t slash = text.rfind('/');
        return identifier(slash == std::string::npos ? text : text.substr(slash + 1), 24);
      }
      at += o.parameters();
    }
    return {};
  }
};

const Signature* event_of(const Trace& trace, const Node& node) {
  return node.kind == NodeKind::event ? &trace.signatures[node.signature] : nullptr;
}

Doing doing_of(const Trace& trace, const std::vector<Node>& nodes, const Piece& piece) {
  Doing doing;
  for (size_t i = piece.begin; i < piece.end; ++i) doing.look(trace, nodes[i]);
  return doing;
}

/// Joins neighbors that neither open a file nor move data.
template <class Wall>
void join_minor(const Trace& trace, const std::vector<Node>& nodes, std::vector<Piece>& pieces, Wall wall) {
  auto is_minor = [&](const Piece& piece) {
    Doing doing = doing_of(trace, nodes, piece);
    return doing.path.empty() && !doing.reads && !doing.writes;
  };
  std::vector<Piece> joined;
  bool minor_before = false;
  for (const Piece& piece : pieces) {
    bool minor = is_minor(piece);
    bool fits = !joined.empty() && piece.end - joined.back().begin <= longest_piece;
    if (fits && minor && minor_before && !wall(piece.begin))
      joined.back().end = piece.end;
    else
      joined.push_back(piece);
    minor_before = minor;
  }
  pieces = std::move(joined);
}

std::string name_of(const Trace& trace, const std::vector<Node>& nodes, const Piece& piece) {
  Doing doing = doing_of(trace, nodes, piece);
  const Signature* first = event_of(trace, nodes[piece.begin]);
  if (first != nullptr && is(*first, Trait::ends_mpi)) return "finish";
  const Signature* last = event_of(trace, nodes[piece.end - 1]);
  if (last != nullptr && is(*last, Trait::starts_mpi)) return "start";
  std::string verb = doing.writes    ? doing.reads ? "write_and_read" : "write"
                     : doing.reads   ? "read"
                     : doing.removes ? "remove"
                                     : "touch";
  if (!doing.path.empty()) return verb + "_" + doing.path + (doing.several ? "_and_others" : "");
  return doing.reads || doing.writes ? verb + "_data" : "other_calls";
}

}  // namespace

std::vector<Piece> cut(const Trace& trace, const std::vector<Node>& nodes, const std::vector<size_t>& also,
                       PieceNames& names) {
  std::vector<Piece> pieces;
  /// Whether a new piece must begin at the node.
  auto wall = [&](size_t i) {
    const Signature* here = event_of(trace, nodes[i]);
    const Signature* before = event_of(trace, nodes[i - 1]);
    return std::find(also.begin(), also.end(), i) != also.end() ||
           (here != nullptr && is(*here, Trait::ends_mpi)) ||
           (before != nullptr && is(*before, Trait::starts_mpi));
  };
  auto opens = [&](size_t i) {
    Doing doing;
    doing.look(trace, nodes[i]);
    return !doing.path.empty();
  };
  auto boundary = [&](size_t i) {
    const Signature* here = event_of(trace, nodes[i]);
    const Signature* before = event_of(trace, nodes[i - 1]);
    if (wall(i)) return true;
    if (here != nullptr && Doing::opens_file(*here)) return before == nullptr || !is_setting(*before);
    if (here == nullptr && opens(i)) return true;
    if (before != nullptr) return is(*before, Trait::closes_file);
    return opens(i - 1);
  };
  for (size_t i = 0; i < nodes.size(); ++i) {
    bool fresh = pieces.empty() || boundary(i) || i - pieces.back().begin >= longest_piece;
    if (fresh) pieces.push_back({i, i, {}});
    pieces.back().end = i + 1;
  }
  join_minor(trace, nodes, pieces, wall);
  for (Piece& piece : pieces) {
    piece.name = name_of(trace, nodes, piece);
    if (size_t before = names[piece.name]++; before > 0) piece.name += "_" + std::to_string(before + 1);
  }
  return pieces;
}

size_t count_statements(const std::vector<trace::Node>& nodes, size_t begin, size_t end) {
  size_t count = end - begin;
  for (size_t i = begin; i < end; ++i) count += count_statements(nodes[i].body, 0, nodes[i].body.size());
  return count;
}

}  // namespace refrain::generate
