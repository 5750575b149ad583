// Finishing a merged trace. In this order:
//
//   - every table is replaced by an expression in the rank that gives exactly its values (express.hpp); that
//     is most of the work, and a job of its own for each value;
//   - a table that is left may be the running sum of another one of the same call, as offsets that come from
//     MPI_Exscan are: [0, 8, 13, …] beside lengths [8, 5, 9, …] is sum([8, 5, 9, …], rank);
//   - a parameter that still has a table, equal to one that was there before, becomes a copy of it:
//     write(fd, data, [8, 5, 9][rank]) -> call0.arg3.
//
// A list of numbers was kept relative to its first element while merging. That hides some expressions
// (rank^2 - rank^1 has none) and shows others, so both are tried.
#include "merge/finish.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>

#include "base/crew.hpp"
#include "base/hash.hpp"
#include "merge/express.hpp"
#include "merge/facts.hpp"
#include "merge/long_lists.hpp"
#include "merge/power_lists.hpp"
#include "merge/side_by_side.hpp"
#include "trace/at_rank.hpp"

namespace refrain::merge {
namespace {

using trace::Alternative;
using trace::Column;
using trace::Form;
using trace::Item;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::RankExpression;
using trace::RankSet;
using trace::Value;
using trace::wrap_add;

constexpr size_t most_sources = 16;  ///< values that one with a table is held against

/// Of a list of numbers and its base.
size_t encoded_size(const Value& v) {
  size_t size = v.base.encoded_size();
  for (const Number& n : v.entries) size += n.encoded_size();
  return size;
}

bool any_table(const std::vector<Number>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](const Number& n) { return n.table() != nullptr; });
}

bool has_table(const Value& v) {
  if (v.form == Form::by_rank) return true;
  return v.base.table() || v.step.table() || any_table(v.slopes) || any_table(v.entries);
}

/// Remembers what was found: the same table stands in many places. Any thread may ask.
class Expressions {
 public:
  /// The set must stay where it is.
  std::optional<RankExpression> of(const RankSet& ranks, const Column& values) {
    uint64_t hash = hash_combine(ranks.size(), values.size());
    for (const Item& item : values.items())
      hash = hash_combine(hash ^ static_cast<uint64_t>(item.first) * 3, item.count);
    std::unique_lock lock(mutex_);
    auto [begin, end] = known_.equal_range(hash);
    for (auto entry = begin; entry != end; ++entry) {
      const Entry& e = entry->second;
      if ((e.ranks == &ranks || *e.ranks == ranks) && e.values.same_values(values)) return e.found;
    }
    lock.unlock();
    auto found = express(ranks, values);
    if (found && says_nothing(*found, values.size())) found.reset();
    lock.lock();
    known_.emplace(hash, Entry{&ranks, values, found});
    return found;
  }

 private:
  struct Entry {
    const RankSet* ranks;
    Column values;
    std::optional<RankExpression> found;
  };
  std::mutex mutex_;
  std::unordered_multimap<uint64_t, Entry> known_;
};

class Finisher {
 public:
  explicit Finisher(unsigned threads) : crew_(threads) {}

  /// The processes must stay where they are.
  void all(std::vector<trace::Process>& processes) {
    for (trace::Process& p : processes)
      if (!p.ranks.empty()) express_all(p);
    crew_.finish();
    for (const Summands& s : summands_)
      for (Value& v : s.event->parameters)
        if (v.base.table() && s.ranks->size() <= RankSet::most_listed)
          running_sum(v.base, *s.ranks, s.tables);
    for (trace::Process& p : processes)
      if (!p.ranks.empty())
        for (trace::Stream& s : p.streams) relate_all(s.nodes, true);
  }

 private:
  void express_all(trace::Process& p) {
    p.ranks = p.ranks.canonical();
    p.ended_early = p.ended_early.canonical();
    for (trace::Stream& s : p.streams) {
      s.ranks = s.ranks.canonical();
      const RankSet& ranks = ranks_of(s, p);
      number(s.prefix, ranks);
      list_powers(s.nodes, ranks);
      express_all(s.nodes, ranks);
    }
  }

  void express_all(std::vector<Node>& nodes, const RankSet& around) {
    for (Node& node : nodes) {
      node.ranks = node.ranks.canonical();
      const RankSet& ranks = ranks_of(node, around);
      if (node.kind != NodeKind::event) post(node.count, ranks);
      keep_summands(node, ranks);
      for (Value& v : node.parameters) post(v, ranks);
      express_all(node.body, ranks);
    }
  }

  /// What running sums of a call are held against: the tables of its parameters, before they are replaced.
  struct Summands {
    Node* event;
    const RankSet* ranks;
    std::vector<Column> tables;
  };

  void keep_summands(Node& event, const RankSet& ranks) {
    std::vector<Column> tables;
    for (const Value& v : event.parameters)
      if (const Column* table = v.base.table()) tables.push_back(*table);
    if (!tables.empty()) summands_.push_back({&event, &ranks, std::move(tables)});
  }

  static void running_sum(Number& n, const RankSet& ranks, const std::vector<Column>& of) {
    for (const Column& lengths : of) {
      if (lengths.size() != n.table()->size()) continue;
      if (auto found = express_as_prefix_sum(ranks, *n.table(), lengths)) {
        n = Number(*found);
        return;
      }
    }
  }

  /// Puts the alternatives of a value in order, and has the tables in it replaced.
  void post(Value& v, const RankSet& ranks) {
    if (v.form == Form::by_rank)
      crew_.post([this, &v, &ranks] { alternatives(v, ranks); });
    else if (has_table(v))
      crew_.post([this, &v, &ranks] { value(v, ranks); });
    else
      value(v, ranks);
  }

  void alternatives(Value& v, const RankSet& ranks) {
    unite_long_lists(v);
    std::sort(v.alternatives.begin(), v.alternatives.end(),
              [](const Alternative& x, const Alternative& y) { return x.ranks.first() < y.ranks.first(); });
    for (Alternative& a : v.alternatives) {
      a.ranks = a.ranks.canonical();
      value(a.value, a.ranks);
    }
    if (v.form != Form::by_rank) value(v, ranks);
  }

  void value(Value& v, const RankSet& ranks) {
    bool small = ranks.size() <= RankSet::most_listed;
    if (!v.entries.empty() && v.base.table() && small) return listed(v, ranks);
    numbers(v, ranks);
  }

  void numbers(Value& v, const RankSet& ranks) {
    number(v.base, ranks);
    number(v.step, ranks);
    for (Number& n : v.slopes) number(n, ranks);
    for (Number& n : v.entries) number(n, ranks);
    while (!v.slopes.empty() && v.slopes.back() == 0) v.slopes.pop_back();
    if (v.form == Form::column && v.base.is_constant()) fold_base_in(v);
  }

  /// A list reads better with its own elements than relative to the first.
  static void fold_base_in(Value& v) {
    int64_t base = v.base.constant();
    if (base == 0) return;
    for (Number& n : v.entries) n.shift(base);
    if (v.column) v.column = std::make_shared<const Column>(v.column->shifted(base));
    v.base = 0;
  }

  /// A list of numbers and its base: apart, or as one.
  void listed(Value& v, const RankSet& ranks) {
    std::vector<Number> entries = std::move(v.entries);
    Value whole = v;
    whole.base = 0;
    whole.entries.reserve(entries.size());
    std::vector<int64_t> base = v.base.table()->expand();
    std::vector<uint32_t> of = ranks.expand();
    for (const Number& entry : entries) {
      std::vector<int64_t> sum = base, own = entry.table() ? entry.table()->expand() : std::vector<int64_t>();
      if (own.empty())  // a constant, or, where a trace is finished once more, an expression
        for (uint32_t rank : of) own.push_back(entry.at(rank, 0));
      for (size_t k = 0; k < sum.size() && k < own.size(); ++k) sum[k] = wrap_add(sum[k], own[k]);
      whole.entries.emplace_back(Column::of(sum));
    }
    v.entries = std::move(entries);
    numbers(v, ranks);
    numbers(whole, ranks);
    if (encoded_size(whole) < encoded_size(v)) v = std::move(whole);
  }

  void number(Number& n, const RankSet& ranks) {
    if (!n.table() || n.table()->size() > RankSet::most_listed) return;
    Column& values = *n.table();
    if (!values.has_longest_runs()) values = Column::of(values.expand());
    const Column::Items& items = values.items();
    if (items.size() == 1 && (items[0].stride == 0 || items[0].count == 1)) {
      n = Number(items[0].first);
      return;
    }
    if (auto found = expressions_.of(ranks, values)) n = Number(*found);
  }

  /// Values that others are copies of: call and parameter.
  using Copied = std::set<std::pair<size_t, uint32_t>>;

  static Copied copied_in(const std::vector<Node>& nodes) {
    Copied found;
    auto look = [&](const Value& v) {
      if (v.form == Form::copy) found.emplace(v.sibling, v.parameter);
    };
    auto look_all = [&](const Value& v) {
      look(v);
      for (const Alternative& a : v.alternatives) look(a.value);
    };
    for (const Node& node : nodes) {
      look_all(node.count);
      for (const Value& v : node.parameters) look_all(v);
    }
    return found;
  }

  static void relate_all(std::vector<Node>& nodes, bool copies) {
    Copied copied = copies ? copied_in(nodes) : Copied();
    for (size_t i = 0; i < nodes.size(); ++i) {
      relate_all(nodes[i].body, nodes[i].kind != NodeKind::choice);
      if (copies && nodes[i].kind == NodeKind::event) relate(nodes, i, copied);
    }
  }

  /// Replaces values of a call that equal others of this call or of those before it; but not those that
  /// others are copies of, for a copy of a copy can't be told.
  static void relate(std::vector<Node>& nodes, size_t at, const Copied& copied) {
    for (uint32_t p = 0; p < nodes[at].parameters.size(); ++p) {
      Value& v = nodes[at].parameters[p];
      if (v.form == Form::copy || !has_table(v) || copied.count({at, p}) > 0) continue;
      size_t tried = 0;
      for (size_t i = at + 1; i-- > 0 && tried < most_sources;) {
        if (nodes[i].kind != NodeKind::event || nodes[i].ranks != nodes[at].ranks) continue;
        uint32_t end = i == at ? p : static_cast<uint32_t>(nodes[i].parameters.size());
        for (uint32_t q = 0; q < end && tried < most_sources; ++q) {
          const Value& source = nodes[i].parameters[q];
          if (!has_table(source) || has_form(source, Form::copy)) continue;
          if (i != at && has_form(source, Form::running)) continue;
          ++tried;
          if (!(source == v)) continue;
          v = Value{.form = Form::copy, .parameter = q, .sibling = static_cast<uint32_t>(i)};
          tried = most_sources;
        }
      }
    }
  }

  static bool has_form(const Value& v, Form form) {
    return v.form == form || std::any_of(v.alternatives.begin(), v.alternatives.end(),
                                         [&](const Alternative& a) { return a.value.form == form; });
  }

  Expressions expressions_;
  std::vector<Summands> summands_;
  Crew crew_;  ///< last, so that its jobs end before what they use
};

}  // namespace

void finish(trace::Trace& trace, unsigned threads) {
  std::vector<trace::Trace> one;
  one.push_back(std::move(trace));
  trace = side_by_side(std::move(one));
  for (trace::Process& p : trace.processes) {
    number_heat(p);
    p.heat.round();
  }
  Finisher(threads).all(trace.processes);
}

}  // namespace refrain::merge
