// A trace as what a simulation runs: for every signature what such a call does to the machine, and the groups
// of ranks that run together. The calls themselves come from GroupWalk, one by one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "measure/access_rule.hpp"
#include "trace/trace.hpp"

namespace refrain::simulate {

/// What a call does, as far as time is concerned.
struct CallFacts {
  enum class Kind : uint8_t { compute, data, metadata, barrier };
  Kind kind = Kind::compute;
  measure::AccessRule rule{};
  bool opens_file = false;
  bool closes_file = false;
  bool moves_together = false;           ///< a collective transfer
  bool is_attribute = false;             ///< data: of an attribute, which ranks that share a file write once
  bool marks_together = false;           ///< makes a property list ask for collective transfers
  bool sets_view = false;                ///< from now on offsets count what a view shows
  bool has_offset = false;               ///< data: it says where, in bytes unless there is a view
  std::vector<uint32_t> lists{};         ///< parameters that are property lists
  bool matters(size_t parameter) const;  ///< its value must be known for every rank
};

/// Ranks that run together.
struct Group {
  const trace::Process* process = nullptr;
  const trace::Stream* outer = nullptr;
  const trace::Stream* layer = nullptr;  ///< if one was asked for and there is one
  std::vector<uint32_t> ranks{};
  double start_s = 0;       ///< after the first process of the application
  uint64_t operations = 0;  ///< about as many, each for all its ranks
};

struct ProgramOptions {
  std::string layer{};  ///< take the stream of this layer; empty: what the programs called
  bool detail = false;  ///< every rank is a group of its own
};

struct Program {
  const trace::Trace* trace = nullptr;
  std::string layer{};
  std::vector<CallFacts> calls{};  ///< by signature
  std::vector<Group> groups{};
  uint32_t ranks = 1;
  uint32_t aggregators = 0;   ///< from hints; 0: none was given
  uint64_t buffer_bytes = 0;  ///< likewise
};

/// The trace must be one of a certain number of ranks and outlive the program.
Result<Program> make_program(const trace::Trace& trace, const ProgramOptions& options);

}  // namespace refrain::simulate
