// Runs of programs that exist in tests only.
#pragma once

#include <functional>
#include <vector>

#include "merge/merge_ranks.hpp"
#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// What one rank of a program calls, in order.
using Program = std::function<std::vector<trace::Node>(int64_t rank, int64_t nprocs)>;

/// A call of open (0), write (1) or read (2) with one argument.
inline trace::Node call(uint32_t function, int64_t argument) {
  return {.signature = function, .parameters = {trace::Value::constant(argument)}};
}

inline trace::Node loop(int64_t count, std::vector<trace::Node> body) {
  return {.kind = trace::NodeKind::loop, .count = trace::Value::constant(count), .body = std::move(body)};
}

inline trace::Trace run_of(const Program& program, uint32_t nprocs) {
  std::vector<trace::Trace> parts;
  for (uint32_t rank = 0; rank < nprocs; ++rank) {
    trace::Trace& part = parts.emplace_back();
    part.nprocs = nprocs;
    for (const char* name : {"open", "write", "read"}) {
      trace::Signature& s = part.signatures.emplace_back();
      s.function = name;
      s.operands = {trace::Operand{.kind = trace::OperandKind::integer}};
    }
    trace::Process& p = part.processes.emplace_back();
    p.ranks = trace::RankSet::range(rank, 1);
    p.ending = trace::Ending::exited;
    p.streams.emplace_back().nodes = program(rank, nprocs);
  }
  return merge::merge_ranks(std::move(parts));
}

}  // namespace refrain::extrapolate
