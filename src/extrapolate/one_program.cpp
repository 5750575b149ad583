// See one_program.hpp.
#include "extrapolate/one_program.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "extrapolate/fit_law.hpp"
#include "trace/template.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;
using trace::RankSet;

/// The words of a command: the name of the program, then the arguments.
std::vector<std::string> words_of(const trace::Trace& run) {
  for (const trace::Process& p : run.processes) {
    if (p.ranks.empty()) continue;
    std::vector<std::string> words{p.program};
    if (!p.arguments.empty()) words.insert(words.end(), p.arguments.begin() + 1, p.arguments.end());
    return words;
  }
  return {};
}

std::string program_of(const trace::Trace& run) {
  std::vector<std::string> words = words_of(run);
  return words.empty() ? std::string() : words[0];
}

std::string_view base_name(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

/// Whether a word is the same in all runs, apart from directories and from numbers that have a law.
bool alike(const std::vector<std::string>& words, Knowledge& knowledge) {
  std::vector<Sequence> numbers;
  trace::Template first;
  for (size_t k = 0; k < words.size(); ++k) {
    std::vector<int64_t> fields;
    trace::Template here = trace::Template::parse(base_name(words[k]), fields);
    if (k == 0) first = here;
    if (here.literals != first.literals) return false;
    numbers.resize(fields.size(), Sequence{.size = RankExpression::constant(1)});
    auto nprocs = static_cast<uint32_t>(knowledge.features.sizes()[k]);
    for (size_t f = 0; f < fields.size(); ++f) numbers[f].add(nprocs, 0, fields[f]);
  }
  return std::all_of(numbers.begin(), numbers.end(), [&](const Sequence& seen) {
    std::vector<Candidate> laws = fit(seen, knowledge);
    return !laws.empty() && (laws[0].law.is_constant() || laws[0].spare > 0);
  });
}

std::string at_ranks(const std::vector<uint32_t>& sizes) {
  std::string text;
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i == 0 ? "" : i + 1 < sizes.size() ? ", " : " and ") + std::to_string(sizes[i]);
  return text + " ranks";
}

/// `"a" at 4 and 8 ranks, "b" at 16 ranks`.
std::string words_text(const std::vector<std::string>& words, const std::vector<int64_t>& sizes) {
  std::vector<std::pair<std::string, std::vector<uint32_t>>> different;
  for (size_t k = 0; k < words.size(); ++k) {
    auto known =
        std::find_if(different.begin(), different.end(), [&](const auto& d) { return d.first == words[k]; });
    if (known == different.end()) known = different.insert(known, {words[k], {}});
    known->second.push_back(static_cast<uint32_t>(sizes[k]));
  }
  std::string text;
  for (const auto& [word, where] : different)
    text += (text.empty() ? "\"" : ", \"") + word + "\" at " + at_ranks(where);
  return text;
}

/// Which runs have places in a set.
std::set<uint32_t> runs_in(const RankSet& set, const Unified& unified) {
  std::set<uint32_t> sizes;
  for (uint32_t p : set.expand()) sizes.insert(unified.places[p].nprocs);
  return sizes;
}

/// The first event that fewer than `all` runs execute.
std::optional<std::string> parting(const std::vector<Node>& nodes, const RankSet& around, size_t all,
                                   const Unified& unified) {
  for (const Node& node : nodes) {
    const RankSet& own = node.ranks.empty() ? around : node.ranks;
    if (auto inside = parting(node.body, own, all, unified)) return inside;
    if (node.kind != trace::NodeKind::event) continue;
    std::set<uint32_t> here = runs_in(own, unified);
    if (here.size() == all) continue;
    const bool one = here.size() == 1;
    return unified.trace.signatures[node.signature].function + ", which only the run" + (one ? "" : "s") +
           " of " + at_ranks({here.begin(), here.end()}) + (one ? " makes" : " make");
  }
  return std::nullopt;
}

/// The signatures that a trace's events have, in the order in which they first occur.
void in_order(const std::vector<Node>& nodes, std::vector<uint32_t>& order, std::vector<bool>& seen) {
  for (const Node& node : nodes) {
    if (node.kind == trace::NodeKind::event && !seen[node.signature]) {
      seen[node.signature] = true;
      order.push_back(node.signature);
    }
    in_order(node.body, order, seen);
  }
}

std::vector<uint32_t> signatures_in_order(const trace::Trace& run) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(run.signatures.size(), false);
  for (const trace::Process& p : run.processes)
    if (!p.ranks.empty())
      for (const trace::Stream& s : p.streams) in_order(s.nodes, order, seen);
  return order;
}

}  // namespace

std::optional<std::string> different_commands(const std::vector<trace::Trace>& runs) {
  std::vector<std::pair<int64_t, std::vector<std::string>>> commands;
  for (const trace::Trace& run : runs) commands.emplace_back(run.nprocs, words_of(run));
  std::sort(commands.begin(), commands.end());
  std::vector<int64_t> sizes;
  size_t most = 0;
  for (const auto& [nprocs, words] : commands) {
    sizes.push_back(nprocs);
    most = std::max(most, words.size());
  }
  Knowledge knowledge{Features(sizes)};
  for (size_t i = 0; i < most; ++i) {
    std::vector<std::string> words;
    for (const auto& command : commands)
      words.push_back(i < command.second.size() ? command.second[i] : std::string());
    if (alike(words, knowledge)) continue;
    if (i == 0) return "the program is " + words_text(words, sizes);
    return "argument " + std::to_string(i) + " is " + words_text(words, sizes);
  }
  return std::nullopt;
}

std::optional<std::string> where_runs_part(const Unified& unified) {
  const trace::Process& job = unified.trace.processes[0];
  for (const trace::Stream& s : job.streams)
    if (s.layer.empty())
      if (auto found = parting(s.nodes, s.ranks.empty() ? job.ranks : s.ranks, unified.sizes.size(), unified))
        return found;
  return std::nullopt;
}

void align_call_sites(std::vector<trace::Trace>& runs) {
  std::map<uint64_t, size_t> known;  // in how many runs
  size_t fewest = SIZE_MAX;
  for (const trace::Trace& run : runs) {
    std::set<uint64_t> sites;
    for (const trace::Signature& s : run.signatures) sites.insert(s.site);
    sites.erase(0);
    for (uint64_t site : sites) ++known[site];
    fewest = std::min(fewest, sites.size());
  }
  auto in_all = [&](uint64_t site) { return known[site] == runs.size(); };
  auto common = static_cast<size_t>(
      std::count_if(known.begin(), known.end(), [&](const auto& k) { return k.second == runs.size(); }));
  bool one = std::all_of(runs.begin(), runs.end(),
                         [&](const trace::Trace& run) { return program_of(run) == program_of(runs[0]); });
  if (one && common * 2 >= fewest) return;
  for (trace::Trace& run : runs) {
    std::map<std::string, std::map<uint64_t, uint64_t>> numbers;  // of sites, by function
    for (uint32_t i : signatures_in_order(run)) {
      trace::Signature& s = run.signatures[i];
      if (s.site == 0 || in_all(s.site)) continue;
      auto& of_function = numbers[s.function];
      s.site = of_function.emplace(s.site, of_function.size() + 1).first->second;
    }
  }
}

}  // namespace refrain::extrapolate
