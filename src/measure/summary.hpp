// Totals of a trace: calls by function, bytes, time, files, and how each process ended. Loops are summed in
// closed form where their values allow it; where not, the stream is run once, up to a bound.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::measure {

struct FunctionTotals {
  std::string layer{};
  std::string function{};
  uint64_t calls = 0;
  uint64_t failed = 0;  ///< of the calls
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  uint64_t time_ns = 0;  ///< inside the calls

  /// Adds the numbers.
  void add(const FunctionTotals& other);
};

struct Totals {
  uint64_t events = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  uint64_t time_ns = 0;
  std::vector<FunctionTotals> functions{};  ///< by layer, then name
};

struct ProcessSummary {
  std::string program{};
  uint32_t pid = 0;
  trace::RankSet ranks{};  ///< empty if it is no part of a parallel job
  uint64_t threads = 0;    ///< of all ranks together, as are the calls
  uint64_t events = 0;     ///< of its outer streams
  uint64_t elapsed_ns = 0;
  trace::Ending ending = trace::Ending::early;
  trace::RankSet ended_early{};  ///< those that did if others did not
  trace::Loss loss{};
  uint64_t empty_tests = 0;
};

struct LayerTotals {
  std::string layer{};
  Totals totals{};
};

struct Summary {
  Totals outer{};                        ///< what the programs themselves called
  trace::Communication communication{};  ///< between these calls
  std::vector<LayerTotals> layers{};     ///< layers that saw inner calls: all their calls, outer and inner
  Totals inner{};                        ///< of these, those that no program made itself
  std::vector<ProcessSummary> processes{};
  uint64_t threads = 0;
  uint64_t nodes = 0;                ///< of all trees
  std::vector<std::string> files{};  ///< distinct paths that were opened, sorted
  bool files_complete = true;        ///< false: there are more
  bool complete = true;              ///< false: some bytes or calls are not counted, the trace being too long
  bool damaged = false;              ///< values are missing from the trace
};

struct SummaryOptions {
  uint64_t walked_events = 200'000'000;  ///< at most so many are run one by one, of all ranks together
  uint64_t ranks = uint64_t{1} << 22;    ///< at most so many per stream are summed one by one
  uint64_t nodes = uint64_t{1} << 26;    ///< at most so many are looked at for that, of all ranks together
  size_t files = 100'000;
  bool closed_forms = true;
};

Summary summarize(const trace::Trace& trace, const SummaryOptions& options = {});

}  // namespace refrain::measure
