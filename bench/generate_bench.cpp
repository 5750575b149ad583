// How large kernels are: the size of the generated program for the examples of example_streams.hpp, from 64
// to 65,536 ranks, beside what Behzad et al. report for 2,048 ranks ("Automatic generation of I/O kernels for
// HPC applications"). It must not change with the ranks.
//     generate_bench [MOST RANKS]
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <utility>

#include "bench/example_streams.hpp"
#include "generate/kernel.hpp"
#include "merge/finish.hpp"
#include "merge/merge_ranks.hpp"

namespace {

using namespace refrain;
using Program = trace::Trace (*)(int64_t, int64_t);

/// Merged a thousand at a time, so that not all ranks' traces are in memory at once.
trace::Trace merged(Program program, int64_t ranks) {
  constexpr int64_t batch = 1024;
  trace::Trace whole;
  for (int64_t first = 0; first < ranks; first += batch) {
    std::vector<trace::Trace> parts;
    for (int64_t r = first; r < std::min(first + batch, ranks); ++r) parts.push_back(program(r, ranks));
    trace::Trace some = merge::merge_unfinished(std::move(parts));
    whole = first == 0 ? std::move(some) : merge::merge_two(std::move(whole), std::move(some));
  }
  merge::finish(whole);
  return whole;
}

void measure(const char* name, Program program, int64_t ranks, const char* paper) {
  trace::Trace whole = merged(program, ranks);
  auto start = std::chrono::steady_clock::now();
  auto kernel = generate::generate(whole, {});
  double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (!kernel) {
    fmt::print("{:10} {:8} {}\n", name, ranks, kernel.error().text());
    return;
  }
  size_t program_bytes = kernel->files[0].text.size(), shared = kernel->files[1].text.size();
  fmt::print("{:10} {:8} {:12} {:14} {:9.1f} {:>22}\n", name, ranks, program_bytes, shared, ms,
             ranks == 2048 ? paper : "");
}

}  // namespace

int main(int argc, char** argv) {
  int64_t most = argc > 1 ? std::atoll(argv[1]) : 65536;
  fmt::print("{:10} {:>8} {:>12} {:>14} {:>9} {:>22}\n", "program", "ranks", "kernel bytes", "shared header",
             "ms", "paper, 2,048 ranks");
  struct {
    const char* name;
    Program program;
    const char* paper;
  } programs[] = {{"vpicio", bench::vpicio, "8 KB"},
                  {"vorpalio", bench::vorpalio, "616 KB; 36 KB by hand"},
                  {"gcrmio", bench::gcrmio, "12 KB"}};
  for (const auto& p : programs)
    for (int64_t ranks : {64, 512, 2048, 16384, 65536})
      if (ranks <= most) measure(p.name, p.program, ranks, p.paper);
  return 0;
}
