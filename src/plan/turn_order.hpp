// In which order ranks had an HDF5 file that they hand on. Messages that told them are not in the trace, but
// what HDF5 did below its calls is: who writes further into a file had it later. Where that says nothing, it
// was the order of ranks; and those who only read come last, as far as their own order allows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plan/arguments.hpp"
#include "trace/trace.hpp"

namespace refrain::plan {

/// A rank opens a file that others open as well.
struct Turn {
  uint32_t rank = 0;
  std::string file{};  ///< one name for all spellings
  std::string path{};  ///< as the rank named it
  uint32_t signature = 0;
  size_t operand = 0;
  bool alone = true;   ///< to write
  bool makes = false;  ///< the file
};

/// Whether a call that takes a turn must have the file for itself: it doesn't only read. `path` names it.
bool takes_it_alone(const trace::Signature& signature, const GivenArgument& path);

/// When a call may have the file that it opens: after first + step * n other turns with it, where n is how
/// often the rank has made the call before.
struct TurnPlace {
  trace::RankExpression first{};
  trace::RankExpression step{};
};
struct TurnPlaces {
  std::map<std::pair<uint32_t, size_t>, TurnPlace> of{};  ///< by signature and operand
  std::string doubt{};  ///< why the order may be another than recorded: a line; empty if it isn't
};

/// `turns`: of all ranks of the process, those of a rank in its order.
TurnPlaces place_turns(const trace::Trace& trace, const trace::Process& process,
                       const std::vector<Turn>& turns);

}  // namespace refrain::plan
