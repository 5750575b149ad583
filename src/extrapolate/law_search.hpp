// The laws of one stream: goes through its tree and puts a law in the place of every table, and of every set
// of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "extrapolate/law_finder.hpp"
#include "extrapolate/unify_runs.hpp"
#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// How to take it if something has no law: go on, so that all others are looked at, or refuse.
enum class SearchMode : uint8_t { learn, decide };

/// What the laws of streams are found with, and what is found on the way.
struct LawSearch {
  Unified& unified;
  LawFinder& finder;
  SearchMode mode = SearchMode::learn;
  GridSurvey& survey;  ///< made when learning, used when deciding
  std::vector<trace::Doubt> doubts{};
  std::set<int64_t> constants{};  ///< that something may be cut into
};

/// Rewrites the tree. `everyone`: all places of all runs. The reason if it has no laws.
std::optional<std::string> search_laws(trace::Stream& stream, const trace::RankSet& everyone,
                                       LawSearch& search);

/// The reason if a stream has no laws whatever is learned: nothing is looked for in vain.
std::optional<std::string> refuse_early(const trace::Stream& stream, const trace::RankSet& everyone,
                                        const Unified& unified);

}  // namespace refrain::extrapolate
