// The interpreter of a tree. Every node gets a small state (how often it ran, the last value of each of
// its parameters, where it stands in its columns); the way from the root to the current node is an
// explicit stack of frames. States are laid out breadth first, so that the children of a node, and with
// them the siblings that a copy refers to, are neighbors.
#include "trace/expand.hpp"

#include <algorithm>
#include <optional>

#include "trace/power.hpp"

namespace refrain::trace {
namespace {

/// One elastic value at run time.
struct Cell {
  const Value* value = nullptr;
  int64_t last = 0;
  bool peeked = false;  ///< `ahead` was taken from the column and not used yet
  int64_t ahead = 0;
  std::optional<Column::Cursor> cursor;
  std::vector<int64_t> table;  ///< of a separable value, when short
};

struct Station {
  const Node* node = nullptr;
  size_t children = 0;  ///< first child
  size_t cells = 0;     ///< first cell: the parameters of an event, else the count
  uint64_t executions = 0;
  bool copies = false;  ///< some of its parameters are copies
};

struct Frame {
  size_t begin, at, end;       ///< children still to run in this iteration
  size_t siblings;             ///< first child of the parent
  size_t sibling_count;        ///< 0 where copies make no sense
  int64_t trips;               ///< of a loop; -1: no loop, runs once
  const Node* node = nullptr;  ///< the loop
};

/// Whether the values of the node, and of those in it, don't depend on how often nodes have run.
bool follows_indices(const Node& node) {
  auto is_function = [](const Value& v) {
    return v.form == Form::affine || v.form == Form::separable || v.form == Form::power ||
           v.form == Form::copy;
  };
  if (node.kind == NodeKind::event)
    return std::all_of(node.parameters.begin(), node.parameters.end(), is_function);
  return is_function(node.count) && std::all_of(node.body.begin(), node.body.end(), follows_indices);
}

constexpr uint64_t table_limit = 1 << 16;
constexpr uint64_t all_tables_limit = 1 << 22;  ///< a short code may stand for a long table, many times

}  // namespace

struct Expander::State {
  std::vector<Station> stations;
  std::vector<Cell> cells;
  std::vector<Frame> frames;
  std::vector<int64_t> indices;
  std::vector<int64_t> fresh;
  bool damaged = false;
  uint64_t idle_limit = 0, steps = 0;
  uint64_t table_room = all_tables_limit;

  explicit State(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) add(node);
    for (size_t i = 0; i < stations.size(); ++i) {
      stations[i].children = stations.size();
      for (const Node& child : stations[i].node->body) add(child);
    }
    idle_limit = (1 << 20) + 64 * stations.size();
    frames.push_back({0, 0, nodes.size(), 0, nodes.size(), -1});
  }

  void add(const Node& node) {
    stations.push_back({&node, 0, cells.size()});
    if (node.kind != NodeKind::event) return add(node.count);
    for (const Value& v : node.parameters) {
      add(v);
      stations.back().copies |= v.form == Form::copy;
    }
  }

  void add(const Value& v) {
    Cell cell;
    cell.value = &v;
    damaged |= !v.is_plain() || !v.entries.empty();
    if (v.form == Form::column && v.column) cell.cursor.emplace(*v.column);
    if (v.form == Form::separable && v.column && v.column->size() <= std::min(table_limit, table_room)) {
      cell.table = v.column->expand();
      table_room -= cell.table.size();
    }
    cells.push_back(std::move(cell));
  }

  int64_t broken() {
    damaged = true;
    return 0;
  }

  int64_t linear(const Value& v) {
    if (v.slopes.size() > indices.size()) return broken();
    int64_t sum = v.base.constant();
    for (size_t d = 0; d < v.slopes.size(); ++d) {
      int64_t slope = v.slopes[d].constant();
      if (slope != Value::any_slope) sum = wrap_add(sum, wrap_mul(slope, indices[d]));
    }
    return sum;
  }

  int64_t from_column(Cell& cell, bool peek) {
    if (!cell.peeked) {
      if (!cell.cursor || cell.cursor->done()) return broken();
      cell.ahead = cell.cursor->next();
    }
    cell.peeked = peek;
    return cell.ahead;
  }

  int64_t from_table(const Cell& cell) {
    const Value& v = *cell.value;
    if (v.depth >= indices.size() || !v.column) return broken();
    uint64_t i = static_cast<uint64_t>(indices[v.depth]);
    if (i >= v.column->size()) return broken();
    return wrap_add(linear(v), cell.table.empty() ? v.column->at(i) : cell.table[i]);
  }

  int64_t from_power(const Value& v) {
    if (v.depth >= indices.size()) return broken();
    auto term = power_product(v.step.constant(), v.ratio, indices[v.depth]);
    return term ? wrap_add(linear(v), *term) : broken();
  }

  /// A copy of an earlier sibling reads its last value; of a later one, the value it is about to have; of
  /// the event itself, the value it has just got.
  int64_t from_sibling(const Station& station, const Value& v) {
    uint64_t t = station.executions;
    const Frame& f = frames.back();
    if (v.sibling >= f.sibling_count) return broken();
    const Station& other = stations[f.siblings + v.sibling];
    if (other.node->kind != NodeKind::event || v.parameter >= other.node->parameters.size()) return broken();
    Cell& cell = cells[other.cells + v.parameter];
    if (cell.value->form == Form::copy) return broken();
    if (&other == &station) return wrap_add(v.base.constant(), fresh[v.parameter]);
    if (other.executions == t + 1) return wrap_add(v.base.constant(), cell.last);
    if (other.executions != t) return broken();
    return wrap_add(v.base.constant(), evaluate(other, cell, true));
  }

  /// The value of `cell` in the next execution of its station; with `peek`, a column isn't advanced.
  int64_t evaluate(const Station& station, Cell& cell, bool peek) {
    const Value& v = *cell.value;
    uint64_t t = station.executions;
    switch (v.form) {
      case Form::affine:
        return linear(v);
      case Form::counter:
        return wrap_add(v.base.constant(), wrap_mul(v.step.constant(), static_cast<int64_t>(t)));
      case Form::running:
        if (t == 0) return v.base.constant();
        if (v.parameter >= station.node->parameters.size()) return broken();
        return wrap_add(cell.last, wrap_mul(v.step.constant(), cells[station.cells + v.parameter].last));
      case Form::copy:
        return from_sibling(station, v);
      case Form::separable:
        return from_table(cell);
      case Form::column:
        return wrap_add(v.base.constant(), from_column(cell, peek));
      case Form::power:
        return from_power(v);
      case Form::by_rank:
        break;
    }
    return broken();
  }

  std::span<const int64_t> run_event(Station& s) {
    size_t n = s.node->parameters.size();
    fresh.resize(n);
    Cell* own = cells.data() + s.cells;
    for (size_t i = 0; i < n; ++i)
      if (own[i].value->form != Form::copy) fresh[i] = evaluate(s, own[i], false);
    for (size_t i = 0; s.copies && i < n; ++i)
      if (own[i].value->form == Form::copy) fresh[i] = evaluate(s, own[i], false);
    for (size_t i = 0; i < n; ++i) own[i].last = fresh[i];
    ++s.executions;
    return fresh;
  }

  void enter(Station& s) {
    size_t n = s.node->body.size(), begin = s.children;
    if (s.node->kind == NodeKind::group) {
      ++s.executions;
      frames.push_back({begin, begin, begin + n, begin, n, -1});
      return;
    }
    int64_t count = evaluate(s, cells[s.cells], false);
    cells[s.cells].last = count;
    ++s.executions;
    bool loop = s.node->kind == NodeKind::loop;
    if (damaged || count < 0 || static_cast<uint64_t>(count) > (loop ? Limits::trips : n - 1) || n == 0) {
      damaged = true;
    } else if (!loop) {
      size_t arm = begin + static_cast<size_t>(count);
      frames.push_back({arm, arm, arm + 1, begin, 0, -1});
    } else if (count > 0) {
      frames.push_back({begin, begin, begin + n, begin, n, count, s.node});
      indices.push_back(0);
    }
  }

  /// At the end of a body: once more, or leave.
  void turn() {
    Frame& f = frames.back();
    bool loop = f.trips >= 0;
    if (loop && ++indices.back() < f.trips) {
      f.at = f.begin;
      return;
    }
    if (loop) indices.pop_back();
    frames.pop_back();
  }
};

Expander::Expander(const std::vector<Node>& nodes) : state_(std::make_unique<State>(nodes)) {}
Expander::~Expander() = default;

Expander::Event Expander::next() {
  State& s = *state_;
  for (uint64_t idle = 0; !s.frames.empty() && !s.damaged; ++idle, ++s.steps) {
    if (idle > s.idle_limit) s.damaged = true;
    Frame& f = s.frames.back();
    if (f.at == f.end) {
      s.turn();
      continue;
    }
    size_t number = f.at++;
    Station& station = s.stations[number];
    if (station.node->kind != NodeKind::event) {
      s.enter(station);
      continue;
    }
    auto parameters = s.run_event(station);
    if (!s.damaged) return {station.node, parameters, number, s.frames.front().at - 1};
  }
  return {nullptr, {}};
}

bool Expander::damaged() const { return state_->damaged; }
uint64_t Expander::idle_steps() const { return state_->steps; }
std::span<const int64_t> Expander::indices() const { return state_->indices; }

std::vector<int64_t> Expander::trips() const {
  std::vector<int64_t> list;
  for (const Frame& f : state_->frames)
    if (f.trips >= 0) list.push_back(f.trips);
  return list;
}

const Node* Expander::loop(size_t depth) const {
  for (const Frame& f : state_->frames) {
    if (f.trips < 0 || depth-- > 0) continue;
    return f.node;
  }
  return nullptr;
}

bool Expander::may_leap(size_t depth) const {
  const Node* around = loop(depth);
  return around != nullptr && std::all_of(around->body.begin(), around->body.end(), follows_indices);
}

void Expander::leap(size_t depth, int64_t turns) { state_->indices[depth] += turns; }

}  // namespace refrain::trace
