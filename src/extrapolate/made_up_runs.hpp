// Runs of programs that exist in tests only.
#pragma once

#include <functional>
#include <memory>
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

/// Calls of pwrite are 3, 4, …, by the place in the program that makes them; unless said, it is 3.
constexpr uint32_t places_of_pwrite = 4;

/// A call of pwrite, with arguments that may depend on loops; its result is the size.
inline trace::Node transfer(const trace::Value& size, const trace::Value& offset) {
  return {.signature = 3, .parameters = {size, offset, size}};
}
inline trace::Node transfer(int64_t size, int64_t offset) {
  return transfer(trace::Value::constant(size), trace::Value::constant(offset));
}

/// base + slope times the index of the only loop around it.
inline trace::Value line(int64_t base, int64_t slope) { return {.base = base, .slopes = {slope}}; }

inline trace::Node loop(int64_t count, std::vector<trace::Node> body) {
  return {.kind = trace::NodeKind::loop, .count = trace::Value::constant(count), .body = std::move(body)};
}

/// What is transferred in blocks of a size, the last of which may be smaller, as recording folds it.
inline trace::Node in_blocks(int64_t start, int64_t bytes, int64_t block) {
  int64_t n = (bytes + block - 1) / block, last = bytes - (n - 1) * block;
  if (n == 1) return transfer(bytes, start);
  trace::Value sizes = line(block, last - block);
  if (n > 2 && last < block) {
    std::vector<int64_t> list(static_cast<size_t>(n), block);
    list.back() = last;
    sizes = {.form = trace::Form::separable,
             .column = std::make_shared<const trace::Column>(trace::Column::of(list))};
  }
  return loop(n, {transfer(sizes, line(start, block))});
}

/// A run of the program, which causes the calls of `below` in layer posix.
inline trace::Trace run_of(const Program& program, uint32_t nprocs, const Program& below = {}) {
  using trace::Operand, trace::OperandKind, trace::Role;
  std::vector<trace::Trace> parts;
  for (uint32_t rank = 0; rank < nprocs; ++rank) {
    trace::Trace& part = parts.emplace_back();
    part.nprocs = nprocs;
    for (const char* name : {"open", "write", "read"}) {
      trace::Signature& s = part.signatures.emplace_back();
      s.function = name;
      s.operands = {Operand{.kind = OperandKind::integer}};
    }
    for (uint64_t site = 0; site < places_of_pwrite; ++site) {
      trace::Signature& s = part.signatures.emplace_back();
      s.function = "pwrite";
      s.layer = "posix";
      s.site = site;
      s.operands = {Operand{.kind = OperandKind::integer, .role = Role::size},
                    Operand{.kind = OperandKind::integer, .role = Role::offset}};
      s.result = {.kind = OperandKind::integer, .role = Role::bytes_written};
    }
    trace::Process& p = part.processes.emplace_back();
    p.ranks = trace::RankSet::range(rank, 1);
    p.ending = trace::Ending::exited;
    p.streams.emplace_back().nodes = program(rank, nprocs);
    if (!below) continue;
    trace::Stream& layer = p.streams.emplace_back();
    layer.layer = "posix";
    layer.nodes = below(rank, nprocs);
  }
  return merge::merge_ranks(std::move(parts));
}

}  // namespace refrain::extrapolate
