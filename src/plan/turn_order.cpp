#include "plan/turn_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "measure/access_rule.hpp"
#include "merge/express.hpp"
#include "plan/slice.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"

namespace refrain::plan {
namespace {

using measure::AccessRule;
using trace::RankExpression;
using Parameters = std::span<const int64_t>;

/// At most this many calls below libraries are examined, of all ranks together.
constexpr uint64_t most_inner_calls = 8'000'000;
constexpr uint64_t last_of_all = ~uint64_t{0};

/// How far a rank wrote into files, each time that it had one open and wrote to it.
class Reaches {
 public:
  explicit Reaches(const trace::Trace& trace)
      : trace_(trace), rules_(measure::access_rules(trace.signatures)) {
    for (size_t i = 0; i < rules_.size(); ++i) {
      const trace::Signature& s = trace.signatures[i];
      bool sets_size = api::traits_of(s.function).has(api::Trait::sets_size);
      lengths_.push_back(
          sets_size ? plan_call(s).map([](const CallPlan& p) { return length_of(p); }).value_or(-1) : -1);
      matters_.push_back(s.error.empty() && (rules_[i].effect != AccessRule::Effect::none || sets_size));
    }
  }

  /// Results are by path as the program gave it. False if there are more than `left` calls.
  bool find(const trace::Process& alone, uint64_t& left) {
    written_.clear();
    for (const trace::Stream& stream : alone.streams) {
      if (stream.layer.empty() || !api::layer_named(stream.layer).is_system) continue;
      open_.clear();
      std::vector<trace::Node> nodes = slice(stream.nodes, matters_);
      trace::Expander expander(nodes);
      for (auto event = expander.next(); event.node != nullptr; event = expander.next()) {
        if (left-- == 0) return false;
        if (matters_[event.node->signature]) take(event.node->signature, event.parameters);
      }
      for (auto& [slot, file] : open_) close(file);
    }
    return true;
  }
  const std::vector<uint64_t>& written(const std::string& path) { return written_[path]; }

 private:
  struct File {
    std::string path{};
    int64_t position = 0;
    uint64_t reach = 0;
  };
  using Key = std::pair<uint32_t, int64_t>;

  static int64_t length_of(const CallPlan& plan) {
    for (const GivenArgument& g : plan.arguments)
      if (g.argument->name == "length" && g.count > 0) return static_cast<int64_t>(g.parameter);
    return -1;
  }

  void take(uint32_t signature, Parameters p) {
    const AccessRule& rule = rules_[signature];
    if (rule.effect == AccessRule::Effect::open && rule.made && rule.path != AccessRule::absent) {
      auto path = text_at(trace_.templates, p.subspan(rule.path), rule.path_fields);
      if (path) open_[{rule.made.handle_class, p[rule.made.parameter]}] = {std::move(*path)};
      return;
    }
    if (!rule.handle) return;
    auto found = open_.find({rule.handle.handle_class, p[rule.handle.parameter]});
    if (found == open_.end()) return;
    File& file = found->second;
    if (lengths_[signature] >= 0) extend(file, p[static_cast<size_t>(lengths_[signature])]);
    if (rule.effect == AccessRule::Effect::close) {
      close(file);
      open_.erase(found);
    } else if (rule.effect == AccessRule::Effect::seek && rule.result != AccessRule::absent) {
      file.position = p[rule.result];
    } else if (rule.effect == AccessRule::Effect::data) {
      int64_t end = rule.offset != AccessRule::absent ? p[rule.offset] : file.position;
      for (uint32_t i = 0; i < rule.byte_parameters; ++i) end += p[rule.bytes + i];
      if (rule.offset == AccessRule::absent) file.position = end;
      if (rule.writes) extend(file, end);
    }
  }

  static void extend(File& file, int64_t end) {
    if (end > 0) file.reach = std::max(file.reach, static_cast<uint64_t>(end));
  }
  void close(const File& file) {
    if (file.reach > 0) written_[file.path].push_back(file.reach);
  }

  const trace::Trace& trace_;
  std::vector<AccessRule> rules_;
  std::vector<int64_t> lengths_{};  ///< number of the parameter, by signature; negative: it has none
  std::vector<bool> matters_{};
  std::map<Key, File> open_{};
  std::map<std::string, std::vector<uint64_t>> written_{};
};

/// Puts turns into one possible sequence: each thread's turns in its order, turns with the same file by their
/// keys. Where the two contradict each other, the thread's own order wins.
class Schedule {
 public:
  Schedule(const std::vector<Turn>& turns, const std::vector<uint64_t>& keys) : turns_(turns), keys_(keys) {
    for (size_t i = 0; i < turns.size(); ++i) {
      files_[turns[i].file].pending.insert(key(i));
      threads_[thread_of(i)].push_back(i);
    }
  }

  /// How many turns with its file must have ended before each turn.
  std::vector<int64_t> run() {
    std::vector<int64_t> after(turns_.size());
    for (const auto& [thread, own] : threads_) look_at(thread);
    while (std::optional<size_t> next = choose()) {
      const Turn& turn = turns_[*next];
      File& file = files_[turn.file];
      if (turn.alone) file.before = file.ended;
      after[*next] = file.before;
      ++file.ended;
      if (turn.alone) file.before = file.ended;
      file.pending.erase(key(*next));
      threads_[thread_of(*next)].pop_front();
      look_at(thread_of(*next));
      if (!file.pending.empty()) look_at(thread_of(std::get<2>(*file.pending.begin())));
    }
    return after;
  }

 private:
  using Key = std::tuple<uint64_t, uint32_t, size_t>;  ///< the key proper, the rank, the turn
  using Thread = std::pair<uint32_t, uint32_t>;        ///< of a rank
  struct File {
    std::set<Key> pending{};
    int64_t ended = 0;
    int64_t before = 0;  ///< turns that a reader must wait for
  };

  Key key(size_t i) const { return {keys_[i], turns_[i].rank, i}; }
  Thread thread_of(size_t i) const { return {turns_[i].rank, turns_[i].thread}; }
  void look_at(Thread thread) {
    const std::deque<size_t>& own = threads_[thread];
    if (own.empty()) return;
    if (*files_[turns_[own.front()].file].pending.begin() == key(own.front()))
      ready_.insert(key(own.front()));
  }
  std::optional<size_t> choose() {
    if (!ready_.empty()) {
      size_t next = std::get<2>(*ready_.begin());
      ready_.erase(ready_.begin());
      return next;
    }
    std::optional<Key> least;
    for (const auto& [thread, own] : threads_)
      if (!own.empty() && (!least || key(own.front()) < *least)) least = key(own.front());
    return least ? std::optional(std::get<2>(*least)) : std::nullopt;
  }

  const std::vector<Turn>& turns_;
  const std::vector<uint64_t>& keys_;
  std::map<std::string, File> files_{};
  std::map<Thread, std::deque<size_t>> threads_{};
  std::set<Key> ready_{};
};

/// The key that orders turns with one file: how far each one wrote.
class Keys {
 public:
  Keys(const trace::Trace& trace, const trace::Process& process) : reaches_(trace) {
    inner_.ranks = process.ranks;
    for (const trace::Stream& s : process.streams)
      if (!s.layer.empty()) inner_.streams.push_back(s);
  }

  std::vector<uint64_t> find(const std::vector<Turn>& turns, std::string& unknown) {
    std::vector<uint64_t> keys;
    std::map<std::string, std::set<uint32_t>> writers;
    for (const Turn& t : turns)
      if (t.alone) writers[t.file].insert(t.rank);
    for (size_t begin = 0; begin < turns.size();) {
      size_t end = begin;
      while (end < turns.size() && turns[end].rank == turns[begin].rank) ++end;
      keys_of_rank({turns.data() + begin, end - begin}, keys);
      begin = end;
    }
    for (const Turn& t : turns)
      if (unknown.empty() && writers[t.file].size() > 1 && not_known_.contains(t.file)) unknown = t.file;
    // A file of which one rank tells nothing is had in the order of ranks.
    for (size_t i = 0; i < turns.size(); ++i)
      if (turns[i].alone && not_known_.contains(turns[i].file)) keys[i] = turns[i].makes ? 0 : 1;
    return keys;
  }

 private:
  void keys_of_rank(std::span<const Turn> turns, std::vector<uint64_t>& keys) {
    bool known = left_ > 0 && reaches_.find(trace::at_rank(inner_, turns.front().rank), left_);
    if (!known) left_ = 0;
    std::map<std::string, size_t> writing, done;
    std::map<std::pair<uint32_t, std::string>, uint64_t> furthest;
    for (const Turn& t : turns) writing[t.path] += t.alone;
    for (const Turn& t : turns) {
      if (!t.alone) {
        keys.push_back(last_of_all);
        continue;
      }
      size_t n = done[t.path]++;
      bool tells = known && reaches_.written(t.path).size() == writing[t.path];
      if (!tells) not_known_.insert(t.file);
      uint64_t& least = furthest[{t.thread, t.file}];
      if (tells && !(t.makes && n == 0)) least = std::max(least, reaches_.written(t.path)[n]);
      keys.push_back(least);
    }
  }

  Reaches reaches_;
  trace::Process inner_;
  std::set<std::string> not_known_{};
  uint64_t left_ = most_inner_calls;
};

/// The values of ranks as an expression, or as a table.
RankExpression by_rank(const std::map<uint32_t, int64_t>& values) {
  std::vector<uint32_t> ranks;
  std::vector<int64_t> column;
  for (const auto& [rank, value] : values) {
    ranks.push_back(rank);
    column.push_back(value);
  }
  if (auto law = merge::express(trace::RankSet::of(ranks), trace::Column::of(column))) return *law;
  std::vector<int64_t> table(ranks.back() + 1);
  for (const auto& [rank, value] : values) table[rank] = value;
  return RankExpression::lookup(trace::Column::of(table), RankExpression::rank());
}

/// The places of one call; none if those of a rank are not at regular distances.
std::optional<TurnPlace> place_of(const std::map<uint32_t, std::vector<int64_t>>& after) {
  std::map<uint32_t, int64_t> first, step;
  int64_t usual = 0;
  for (const auto& [rank, places] : after)
    if (places.size() > 1) usual = places[1] - places[0];
  for (const auto& [rank, places] : after) {
    first[rank] = places[0];
    step[rank] = places.size() > 1 ? places[1] - places[0] : usual;
    for (size_t i = 1; i < places.size(); ++i)
      if (places[i] - places[i - 1] != step[rank]) return std::nullopt;
  }
  return TurnPlace{by_rank(first), by_rank(step)};
}

}  // namespace

bool takes_it_alone(const trace::Signature& signature, const GivenArgument& path) {
  if (path.first + 1 >= signature.operands.size()) return true;
  const std::string& mode = signature.operands[path.first + 1].text;
  std::string_view reading = api::layer_named(signature.layer).reading_mode;
  return reading.empty() || !mode.starts_with(reading);
}

TurnPlaces place_turns(const trace::Trace& trace, const trace::Process& process,
                       const std::vector<Turn>& turns) {
  TurnPlaces out;
  std::string unknown;
  std::vector<uint64_t> keys = Keys(trace, process).find(turns, unknown);
  if (!unknown.empty())
    out.doubt =
        fmt::format("ranks hand {} on, and nothing tells in which order: they have it by rank", unknown);
  std::vector<int64_t> after = Schedule(turns, keys).run();
  std::map<TurnCall, std::map<uint32_t, std::vector<int64_t>>> calls;
  std::map<TurnCall, std::string> files;
  for (size_t i = 0; i < turns.size(); ++i) {
    TurnCall call{turns[i].thread, turns[i].signature, turns[i].operand};
    calls[call][turns[i].rank].push_back(after[i]);
    files.try_emplace(call, turns[i].file);
  }
  for (const auto& [call, of_ranks] : calls) {
    if (auto place = place_of(of_ranks))
      out.of[call] = *place;
    else
      out.doubt = fmt::format("ranks hand {} on in an order that follows no rule: they have it in any order",
                              files[call]);
  }
  return out;
}

}  // namespace refrain::plan
