// Traces for tests and for the fuzzer's corpus: one small and readable, one that has everything. Part of
// the test programs, not of the library.
#pragma once

#include "trace/trace.hpp"

namespace refrain::trace::sample {

/// An event whose executions took as many nanoseconds as their number, after gaps ten times as long.
Node event(uint32_t signature, std::vector<Value> parameters, uint64_t executions = 1);
Node block(NodeKind kind, Value count, std::vector<Node> body);
inline Node loop(Value count, std::vector<Node> body) {
  return block(NodeKind::loop, count, std::move(body));
}
Value affine(int64_t base, const std::vector<int64_t>& slopes);
Value column(const std::vector<int64_t>& values);
inline Value number(int64_t v) { return Value::constant(v); }

/// `cp big.bin copy.bin`: one process, one thread.
Trace copy();

/// Every kind of node, form of value, kind of number, kind of operand, ending and loss; three processes, one
/// of them merged, several threads and a layer stream. The golden trace is made from it: change it only
/// together with the format.
Trace everything();

/// Valid for any number of ranks: everyone writes at rank * (2^20 / P), every 16th rank synchronizes. Uses
/// all that only scale-free traces have; the golden trace of version 3.
Trace scale_free();

/// The same, and an event with names of which there are as many as ranks. The golden trace of version 7.
Trace law_names();

/// Four ranks, and loops in which sizes, offsets and numbers of turns are powers. The golden trace of
/// version 8.
Trace powers();

/// A file under a name that a call makes up in a loop, and elements of HDF5 that hold sequences. The golden
/// trace of version 9.
Trace made_names();

/// Twenty ranks of a binomial tree, each of which reads as often as it receives. The golden trace of
/// version 10.
Trace tree();

/// The same ranks with a heat map, some rows of which are equal, and a process beside them that has another.
/// The golden trace of version 11.
Trace heat();

/// A shell that starts a program which writes to another one's pipe, and one that does nothing. The golden
/// trace of version 12.
Trace pipeline();

/// Four ranks, and an event whose parameters are lists side by side: the same on all ranks, expressions and
/// tables. The golden trace of version 6.
Trace side_by_side();

}  // namespace refrain::trace::sample
