// In which order ranks used a file that they hand on, and that a library like HDF5 or netCDF writes. The
// messages that ordered them are not in the trace, but the calls that the library made are: a rank that
// writes further into a file had it later. If that doesn't decide, the order is that of the ranks. Ranks that
// only read come last, as far as their own order allows. Threads of a rank have an order each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "plan/arguments.hpp"
#include "trace/trace.hpp"

namespace refrain::plan {

/// A rank opens a file that others open as well.
struct Turn {
  uint32_t rank = 0;
  uint32_t thread = 0;
  std::string file{};  ///< its canonical name
  std::string path{};  ///< as the rank named it
  uint32_t signature = 0;
  size_t operand = 0;
  bool alone = true;   ///< to write
  bool makes = false;  ///< the file
};

/// Whether a call that takes a turn needs the file exclusively, because it may write. `path` is its path
/// argument.
bool takes_it_alone(const trace::Signature& signature, const GivenArgument& path);

/// When a call may open its file: after first + step * n other turns with it, where n is how often the rank
/// has made the call before.
struct TurnPlace {
  trace::RankExpression first{};
  trace::RankExpression step{};
};
/// A thread's calls of a signature, and the operand that names the file.
using TurnCall = std::tuple<uint32_t, uint32_t, size_t>;
struct TurnPlaces {
  std::map<TurnCall, TurnPlace> of{};
  std::string doubt{};  ///< why the order may differ from the recorded one: one line; empty if it doesn't
};

/// `turns`: of all ranks of the process, those of a rank together, those of each thread in its order.
TurnPlaces place_turns(const trace::Trace& trace, const trace::Process& process,
                       const std::vector<Turn>& turns);

}  // namespace refrain::plan
