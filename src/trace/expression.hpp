// Elastic values as expressions over loop variables, for the canonical text.
#pragma once

#include <string>
#include <vector>

#include "trace/text_out.hpp"
#include "trace/trace.hpp"

namespace refrain::trace {

/// i, j, k, l, m, n, i6, i7, …: the variable of the loop at this depth.
std::string loop_variable(size_t depth);

/// What values may refer to besides loop variables.
struct Scope {
  const std::vector<Signature>& signatures;
  const std::vector<Node>& siblings;  ///< the list that the node stands in
  const Node& node;
  const RankSet& ranks;  ///< who runs the node
};

/// "arg2", "arg2[1]" in a list, "arg1{0}" for the field of a string, or "result".
std::string parameter_name(const Signature& signature, size_t parameter);

/// Terms in the order of the loops, the constant last: `1048576*i + 65536*j + 2048`.
void put_value(TextOut& out, const Value& value, const Scope& scope);

/// A number: itself, an expression over `rank`, or the table of all ranks, `[4, 7, 1][rank]`. Where not all
/// ranks from 0 on run the node, a table goes by `place`, the rank's place among those that do.
void put_number(TextOut& out, const Number& number, const RankSet& ranks);

/// The values in full, regular stretches in short: `[1, 5, 9..90 step 9, 8 x 0, 3 x (1, 2) step 10]`. The
/// last reads: three times 1, 2, from the second time on 10 more than the time before.
void put_column(TextOut& out, const Column& column);

/// Columns up to this size print the same whatever their inner structure.
constexpr uint64_t normalized_column = 4096;

}  // namespace refrain::trace
