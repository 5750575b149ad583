// See laws.hpp. The tree is walked twice. The first walk looks for the law of each table; what it finds helps
// the second, since many numbers of a program follow from others: where a part begins from its size, the
// number of chunks from both.
#include "extrapolate/laws.hpp"

#include "extrapolate/doubts.hpp"
#include "extrapolate/law_search.hpp"

namespace refrain::extrapolate {
namespace {

/// Constants that something may be cut into: the smallest of them.
std::vector<int64_t> possible_chunks(const std::set<int64_t>& constants) {
  std::vector<int64_t> chunks;
  for (int64_t c : constants)
    if (c <= (int64_t{1} << 26) && chunks.size() < 12) chunks.push_back(c);
  return chunks;
}

}  // namespace

Result<trace::Trace> find_laws(Unified unified, const Options& options) {
  LawFinder finder(unified.sizes, options);
  trace::Trace& trace = unified.trace;
  trace::Process& job = trace.processes[0];
  std::vector<GridSurvey> surveys(job.streams.size());
  std::set<int64_t> constants;
  auto learn = [&](size_t i) {
    LawSearch search{.unified = unified, .finder = finder, .survey = surveys[i]};
    trace::Stream trial = job.streams[i];
    (void)search_laws(trial, job.ranks, search);
    if (trial.layer.empty()) constants.merge(search.constants);
  };
  for (size_t i = 0; i < surveys.size(); ++i)  // what libraries do says little about the program
    if (job.streams[i].layer.empty()) learn(i);
  finder.look_again(possible_chunks(constants));
  std::vector<trace::Stream> streams;
  for (size_t i = 0; i < surveys.size(); ++i) {
    trace::Stream& s = job.streams[i];
    LawSearch search{.unified = unified, .finder = finder, .mode = SearchMode::decide, .survey = surveys[i]};
    std::optional<std::string> refused = refuse_early(s, job.ranks, unified);
    if (!refused && !s.layer.empty()) learn(i), finder.try_again();
    if (!refused) refused = search_laws(s, job.ranks, search);
    if (refused && s.layer.empty()) return fail(ErrorKind::limit, *refused);
    if (refused) {
      trace.notes.push_back("left out by extrapolation: " + *refused);
      continue;
    }
    keep_within_bounds(search.doubts);
    trace.doubts.insert(trace.doubts.end(), search.doubts.begin(), search.doubts.end());
    streams.push_back(std::move(s));
  }
  job.streams = std::move(streams);
  job.ranks = trace::RankSet::where(RankExpression::constant(1));
  trace.sizes = unified.sizes;
  trace.nprocs = 0;
  return std::move(trace);
}

}  // namespace refrain::extrapolate
