// From a scale-free trace to the trace of one number of ranks: every expression in P becomes one in the rank
// alone, every law of a rank set a set. Nothing is run and nothing is listed but the ranks of sets, so a
// million ranks take little more time than a hundred.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::scale {

/// The trace for `nprocs` ranks, at most RankSet::most_listed. Fails where a number leaves 64 bits, where a
/// loop would run less than no times, or where the trace isn't scale-free. A layer with such a loop is left
/// out, with a note. Laws of times become estimates, with a note that says so.
Result<trace::Trace> at_size(const trace::Trace& trace, uint32_t nprocs);

/// The expression with `nprocs` in the place of P, for ranks below `nprocs`. Fails if a sum or product may
/// leave 64 bits on one of them.
Result<trace::RankExpression> at_size(const trace::RankExpression& e, uint32_t nprocs);

/// The expression with another one in the place of a variable.
trace::RankExpression substituted(const trace::RankExpression& e, trace::Variable which,
                                  const trace::RankExpression& by);
/// The same for every place where a part that isn't a variable occurs.
trace::RankExpression replaced(const trace::RankExpression& e, const trace::RankExpression& part,
                               const trace::RankExpression& by);

/// How the place of a doubt begins if the event stands in the stream of a layer, whose name follows.
constexpr std::string_view in_layer = "layer ";

/// Whether a doubt matters at this number of ranks. Numbers that leave 64 bits differ from whatever they
/// should be.
bool differs_at(const trace::Doubt& doubt, uint32_t nprocs);
/// The same for a doubt of a trace: nothing is in doubt at the numbers of ranks that it was made from.
bool is_in_doubt(const trace::Trace& trace, const trace::Doubt& doubt, uint32_t nprocs);

/// What a doubt is between, and what would settle it.
struct DoubtWords {
  std::string chosen{}, other{};  ///< two laws; empty where the doubt is whether there is a law
  std::string would_tell{};       ///< "a run of 12 ranks would tell"
};
/// `sizes`: the runs that there are. With a number of ranks the laws come with what they give there.
DoubtWords doubt_words(const trace::Doubt& doubt, const std::vector<uint32_t>& sizes, uint32_t nprocs = 0);

/// What isn't certain at this number of ranks, a line each: event, argument, why, what the laws say that may
/// be right, and which further run would tell. Nothing at those numbers of ranks that the trace was made
/// from.
std::vector<std::string> doubts_at_size(const trace::Trace& trace, uint32_t nprocs);

}  // namespace refrain::scale
