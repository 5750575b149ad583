// Are two traces equal, event by event? Times and call sites don't count, and neither does where loops were
// found: what is compared is what the programs called. See the essay in compare.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compare/event_match.hpp"
#include "trace/race.hpp"
#include "trace/trace.hpp"

namespace refrain::compare {

struct Options {
  bool layers = false;  ///< compare the layer streams, too
  std::string root{};   ///< where the calls of the second trace were made; see path_image
  /// Calls of each trace that are the same however they ended, and attempts that may be missing.
  std::array<trace::Races, 2> races{};
};

/// The first difference. What is not known is left empty.
struct Difference {
  enum class Kind : uint8_t {
    ranks,      ///< number of ranks: in `values`
    processes,  ///< number of processes that are no ranks: in `values`
    rank,       ///< this rank was recorded on one side only
    step,       ///< what a process does with others: in `values`
    thread,     ///< this thread made calls on one side only
    event,      ///< two calls differ: see `mismatch`
    end,        ///< one side has no further call
  };
  Kind kind = Kind::event;
  std::optional<uint32_t> rank{};  ///< nothing: not part of a parallel job
  uint64_t process = 0;            ///< number in the first trace (in the second, if it is missing there)
  uint32_t thread = 0;
  std::string layer{};                              ///< of a layer stream
  uint64_t event = 0;                               ///< number of the event in its stream, from 1
  std::array<std::optional<uint64_t>, 2> events{};  ///< in the whole stream
  Mismatch mismatch{};
  std::array<bool, 2> present{true, true};  ///< rank, thread, end: which side has it
  std::array<std::string, 2> values{};
  std::array<std::string, 2> functions{};  ///< layer and name of the calls, if there is one
  std::array<std::string, 2> layers{};
  std::array<uint32_t, 2> operands{};
  std::array<std::string, 2> calls{};             ///< as text
  std::array<std::vector<int64_t>, 2> indices{};  ///< of the loops around the calls, outermost first
};

struct Comparison {
  std::optional<Difference> difference{};
  uint64_t pairs = 0;   ///< of processes or ranks that were compared
  uint64_t walked = 0;  ///< events that were run one by one; 0 where equal structure was enough
};

/// Fails if values are missing where they are needed to tell.
Result<Comparison> compare(const trace::Trace& here, const trace::Trace& there, const Options& options = {});

}  // namespace refrain::compare
