// Gathering what the runs of all ranks did to files. The calls of the programs and those of each layer are
// run apart, each with handles of their own.
#include "measure/file_usage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "measure/usage_run.hpp"
#include "trace/at_rank.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

/// What is known of a file while runs come in.
struct Gathered {
  std::vector<uint32_t> users{};  ///< ranks, or processes
  RankSet all_of{};               ///< these used it as well
  FileFigures outer{};
  std::map<std::string, FileFigures> layers{};
  struct Walks {
    std::vector<RankWalk> reads{}, writes{};
    struct Array {
      std::vector<RankSlabs> reads{}, writes{};
    };
    std::map<std::pair<uint32_t, int64_t>, Array> arrays{};  ///< by object and variable
  };
  std::map<std::string, Walks> walks{};  ///< by layer; that of the programs has no name
};

/// The arrays of a file that all ranks access in the same way, in one direction.
struct ArrayGroup {
  std::string words{};
  std::string kind{}, name{};  ///< of the first; no kind: the file itself
  uint64_t arrays = 0;
  uint64_t bytes = 0;
};

/// "32 datasets: each rank a block of 8,192 of 32,768 elements"; what moves most bytes comes first.
std::string pattern_of(std::vector<ArrayGroup> groups, std::string bytewise) {
  constexpr size_t most_groups = 3;
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  std::string text = std::move(bytewise);
  uint64_t others = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    const ArrayGroup& g = groups[i];
    others += i < most_groups ? 0 : g.arrays;
    if (i >= most_groups) continue;
    std::string what =
        g.arrays > 1 ? fmt::format("{} {}s", count_words(g.arrays), g.kind) : g.kind + " " + g.name;
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ", g.kind.empty() ? "" : what + ": ", g.words);
  }
  if (others > 0) text += fmt::format("; {} others in other ways", count_words(others));
  return text;
}

class UsageGatherer {
 public:
  UsageGatherer(const Trace& trace, const UsageOptions& options)
      : trace_(trace),
        options_(options),
        tables_(trace),
        names_(trace.templates, options.files, options.objects),
        steps_(options.walked_events) {}

  Usage run() {
    for (size_t p = 0; p < trace_.processes.size(); ++p) process(static_cast<uint32_t>(p));
    finish();
    return std::move(usage_);
  }

 private:
  void process(uint32_t number) {
    const Process& p = trace_.processes[number];
    std::vector<std::string> layers{""};
    for (const Stream& s : p.streams)
      if (std::find(layers.begin(), layers.end(), s.layer) == layers.end()) layers.push_back(s.layer);
    for (const std::string& layer : layers) sheet(number, layer);
  }

  /// The streams of one layer, or the outer ones.
  void sheet(uint32_t number, const std::string& layer) {
    const Process& p = trace_.processes[number];
    bool same = true;
    uint64_t nodes = 1;
    for (const Stream& s : p.streams) {
      if (s.layer != layer) continue;
      same &= s.ranks.empty() && s.prefix == 0 && is_plain(s.nodes);
      nodes += count_nodes(s.nodes);
    }
    if (p.ranks.empty() || same) {
      one_run(number, layer, p, p.ranks, p.ranks.empty() ? number : p.ranks.first());
      return;
    }
    uint64_t ranks = std::min(p.ranks.size(), (options_.nodes - std::min(options_.nodes, nodes_)) / nodes);
    nodes_ += ranks * nodes;
    usage_.complete &= ranks == p.ranks.size();
    for (uint64_t k = 0; k < ranks; ++k) {
      uint32_t rank = p.ranks.at(k);
      one_run(number, layer, at_rank(p, rank, Times::keep), RankSet::range(rank, 1), rank);
    }
  }

  static uint64_t count_nodes(const std::vector<Node>& nodes) {
    uint64_t n = nodes.size();
    for (const Node& x : nodes) n += count_nodes(x.body);
    return n;
  }

  /// `alone`: the process as it is on one of `ranks`, which all do the same.
  void one_run(uint32_t number, const std::string& layer, const Process& alone, const RankSet& ranks,
               uint32_t user) {
    if (steps_ == 0) usage_.complete = false;
    if (steps_ == 0) return;
    names_.begin(alone.directory);
    UsageRun run(trace_, tables_, names_, steps_);
    for (const Stream& s : alone.streams) {
      if (s.layer != layer) continue;
      if (s.prefix.constant() > 0)
        for (const Stream& outer : alone.streams)
          if (outer.layer.empty() && outer.thread == s.thread)
            run.run(outer.nodes, s.thread, &s.layer, static_cast<uint64_t>(s.prefix.constant()), false);
      run.run(s.nodes, s.thread, nullptr, UINT64_MAX, options_.leaps);
    }
    usage_.complete &= run.complete();
    take(run, layer, ranks, user);
    if (layer.empty()) add_rank(number, ranks, run.all());
  }

  void take(const UsageRun& run, const std::string& layer, const RankSet& ranks, uint32_t user) {
    uint64_t times = std::max<uint64_t>(1, ranks.size());
    files_.resize(names_.paths().size());
    objects_.resize(names_.objects().size());
    for (const auto& [file, done] : run.files()) {
      Gathered& to = files_[file];
      (layer.empty() ? to.outer : to.layers[layer]).add(done.figures, times);
      if (times > 1)
        to.all_of.unite(ranks);
      else if (to.users.empty() || to.users.back() != user)
        to.users.push_back(user);
      keep(to.walks[layer].reads, done.reads, user, times);
      keep(to.walks[layer].writes, done.writes, user, times);
    }
    for (const auto& [key, done] : run.arrays()) {
      Gathered::Walks::Array& to = files_[key.file].walks[layer].arrays[{key.object, key.variable}];
      keep(to.reads, done.reads, user, times);
      keep(to.writes, done.writes, user, times);
    }
    if (layer.empty())
      for (const auto& [object, figures] : run.objects()) objects_[object].add(figures, times);
    if (layer.empty()) usage_.without_file.add(run.without_file(), times);
  }

  template <class Of, class Walk>
  void keep(std::vector<Of>& list, const Walk& walk, uint32_t user, uint64_t times) {
    if (walk.accesses == 0) return;
    if (++walks_ <= options_.walks) list.push_back({user, walk, times});
  }

  /// Ranks with the same counts are one group, wherever they stand; its times are their mean.
  void add_rank(uint32_t number, const RankSet& ranks, const FileFigures& f) {
    auto [entry, is_new] = ranks.empty()
                               ? std::pair(rank_groups_.end(), true)
                               : rank_groups_.try_emplace({number, f.calls, f.failed, f.opens, f.closes,
                                                           f.reads, f.writes, f.bytes_read, f.bytes_written},
                                                          usage_.ranks.size());
    if (is_new) {
      usage_.ranks.push_back({number, {}, f});
      usage_.ranks.back().each.time_ns = usage_.ranks.back().each.io_ns = 0;
      members_.emplace_back();
    }
    size_t group = is_new ? usage_.ranks.size() - 1 : entry->second;
    RankUsage& to = usage_.ranks[group];
    auto times = static_cast<double>(std::max<uint64_t>(1, ranks.size()));
    to.each.time_ns += f.time_ns * times;
    to.each.io_ns += f.io_ns * times;
    if (ranks.size() == 1)
      members_[group].push_back(ranks.first());
    else
      to.ranks.unite(ranks);
  }

  void finish_ranks() {
    for (size_t i = 0; i < usage_.ranks.size(); ++i) {
      RankUsage& group = usage_.ranks[i];
      group.ranks = RankSet::of(std::move(members_[i])).united(group.ranks).canonical();
      auto count = static_cast<double>(std::max<uint64_t>(1, group.ranks.size()));
      group.each.time_ns /= count;
      group.each.io_ns /= count;
    }
  }

  void finish() {
    finish_ranks();
    std::vector<std::vector<ObjectUsage>> objects(files_.size());
    for (size_t i = 0; i < objects_.size(); ++i) {
      const NamedFiles::Object& object = names_.objects()[i];
      if (objects_[i].calls > 0) objects[object.file].push_back({object.kind, object.name, objects_[i]});
    }
    for (size_t i = 0; i < files_.size(); ++i) {
      FileUsage& file = usage_.files.emplace_back();
      file.path = names_.paths()[i];
      file.objects = std::move(objects[i]);
      std::sort(file.objects.begin(), file.objects.end(), [](const ObjectUsage& a, const ObjectUsage& b) {
        return std::tie(a.name, a.kind) < std::tie(b.name, b.kind);
      });
      finish_file(files_[i], file);
    }
    std::sort(usage_.files.begin(), usage_.files.end(),
              [](const FileUsage& a, const FileUsage& b) { return a.path < b.path; });
    usage_.steps_complete = usage_.complete && names_.complete();
    usage_.complete = usage_.steps_complete && walks_ <= options_.walks;
  }

  void finish_file(Gathered& from, FileUsage& to) const {
    std::sort(from.users.begin(), from.users.end());
    from.users.erase(std::unique(from.users.begin(), from.users.end()), from.users.end());
    bool ranked = trace_.nprocs > 0;
    to.users = from.users.size();
    if (ranked) {
      to.ranks = RankSet::of(from.users).united(from.all_of).canonical();
      to.users = to.ranks.size();
    }
    to.outer = from.outer;
    for (auto& [layer, figures] : from.layers) to.layers.push_back({layer, figures});
    uint64_t everyone = std::max<uint64_t>(1, trace_.nprocs);
    for (auto& [layer, walks] : from.walks) {  // that of the programs first
      if (!to.read_pattern.empty() || !to.write_pattern.empty()) break;
      std::string reads = pattern_words(std::move(walks.reads), everyone);
      std::string writes = pattern_words(std::move(walks.writes), everyone);
      to.read_pattern = pattern_of(array_groups(walks.arrays, &Gathered::Walks::Array::reads), reads);
      to.write_pattern = pattern_of(array_groups(walks.arrays, &Gathered::Walks::Array::writes), writes);
      to.pattern_layer = layer;
    }
  }

  template <class Arrays, class Direction>
  std::vector<ArrayGroup> array_groups(Arrays& arrays, Direction direction) const {
    std::vector<ArrayGroup> groups;
    std::map<std::pair<std::string, std::string>, size_t> known;  // by kind and words
    for (auto& [which, array] : arrays) {
      auto& walks = array.*direction;
      ArrayGroup one{.arrays = 1};
      for (const RankSlabs& w : walks) one.bytes += w.walk.bytes * w.ranks;
      one.words = slab_words(std::move(walks), std::max<uint64_t>(1, trace_.nprocs));
      if (one.words.empty()) continue;
      if (which.first != NamedFiles::none) {
        one.kind = names_.objects()[which.first].kind;
        one.name = names_.objects()[which.first].name;
      } else if (which.second >= 0) {
        one.kind = "variable";
        one.name = std::to_string(which.second);
      }
      auto [entry, is_new] = known.try_emplace({one.kind, one.words}, groups.size());
      if (is_new) {
        groups.push_back(std::move(one));
        continue;
      }
      ++groups[entry->second].arrays;
      groups[entry->second].bytes += one.bytes;
    }
    return groups;
  }

  const Trace& trace_;
  const UsageOptions& options_;
  UsageTables tables_;
  NamedFiles names_;
  uint64_t steps_;
  uint64_t nodes_ = 0, walks_ = 0;
  std::vector<Gathered> files_;
  std::vector<FileFigures> objects_;
  std::map<std::array<uint64_t, 9>, size_t> rank_groups_;  ///< places in usage_.ranks, by counts
  std::vector<std::vector<uint32_t>> members_;             ///< single ranks of each of these
  Usage usage_;
};

}  // namespace

Usage measure_usage(const Trace& trace, const UsageOptions& options) {
  return UsageGatherer(trace, options).run();
}

}  // namespace refrain::measure
