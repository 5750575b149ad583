// How long it takes to find the expression of a column over the rank, and how long its text is, beside the
// lengths of the prototype that settled which forms are worth searching. Times are those of express(), which
// includes checking the result at every rank.
#include <benchmark/benchmark.h>

#include <string>

#include "merge/express.hpp"
#include "merge/rank_patterns.hpp"

namespace {

using namespace refrain;
using merge::patterns::Pattern;

void report(benchmark::State& state, const std::optional<trace::RankExpression>& found, size_t prototype) {
  std::string text = found ? found->text({.rank = "r", .longest_table = 64}) : "(a table)";
  state.SetLabel(text.size() > 90 ? text.substr(0, 90) + "..." : text);
  state.counters["length"] = found ? static_cast<double>(found->length()) : 0;
  state.counters["prototype"] = static_cast<double>(prototype);
}

void express_pattern(benchmark::State& state, const Pattern& pattern, int64_t ranks) {
  trace::Column column = trace::Column::of(merge::patterns::column_of(pattern, ranks));
  trace::RankSet everyone = trace::RankSet::range(0, static_cast<uint32_t>(ranks));
  std::optional<trace::RankExpression> found;
  for (auto _ : state) found = merge::express(everyone, column);
  report(state, found, ranks > 2048 ? pattern.length_at_a_million : pattern.length);
}

void express_prefix_sum(benchmark::State& state, int64_t ranks) {
  std::vector<int64_t> sizes = merge::patterns::random_sizes(ranks);
  trace::Column of = trace::Column::of(sizes);
  trace::Column column = trace::Column::of(merge::patterns::running_sums(sizes));
  trace::RankSet everyone = trace::RankSet::range(0, static_cast<uint32_t>(ranks));
  std::optional<trace::RankExpression> found;
  for (auto _ : state) {
    found = merge::express(everyone, column);
    if (!found) found = merge::express_as_prefix_sum(everyone, column, of);
  }
  report(state, found, 0);
}

}  // namespace

int main(int argc, char** argv) {
  for (int64_t ranks : {2048, 1048576}) {
    std::string suffix = "/" + std::to_string(ranks);
    for (const Pattern& pattern : merge::patterns::all)
      benchmark::RegisterBenchmark((std::string(pattern.name) + suffix).c_str(), express_pattern, pattern,
                                   ranks)
          ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("prefix sum of random" + suffix).c_str(), express_prefix_sum, ranks)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
