// What isn't certain about a law, although it fits all runs.
#pragma once

#include <string_view>
#include <vector>

#include "extrapolate/law_finder.hpp"
#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// What a doubt about how often a loop turns is about.
constexpr std::string_view number_of_iterations = "number of iterations";
/// How doubts end that are about conditions.
constexpr std::string_view which_ranks = "which ranks", which_string = "which string or list";

/// Whether the law says nothing: only the largest run speaks for it, and it is as complicated as a list of
/// the values.
bool is_far_fetched(const LawFinder::Found& found, const Sequence& s);

/// Adds what may be wrong with the first of the laws that were found for `s`. `about` says where it stands
/// and on which ranks; `finder`, what is known of the rest of the trace.
void add_doubts(const LawFinder::Found& found, const Sequence& s, const trace::Doubt& about,
                const LawFinder& finder, std::vector<trace::Doubt>& doubts);

/// A trace keeps expressions up to some size: what is too large to be kept is a doubt at every number of
/// ranks.
void keep_within_bounds(std::vector<trace::Doubt>& doubts);

}  // namespace refrain::extrapolate
