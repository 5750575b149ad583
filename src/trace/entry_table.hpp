// A list whose elements differ from rank to rank without a rule, as the places where each of a few ranks
// writes HDF5's metadata, is a table for each element: twenty tables of four values. In a file they may stand
// as one: shorter, because each table alone says how it is packed.
#pragma once

#include <optional>
#include <vector>

#include "trace/number.hpp"

namespace refrain::trace {

/// Most integers that readers accept for a byte of what stands for them, so that a small file can't ask for
/// much memory.
constexpr uint64_t integers_per_byte = 8;

/// All values of a list of tables and constants, element by element. None unless it is one, of tables of the
/// same length that are not constant, and not too long.
std::optional<Column> one_table(const std::vector<Number>& entries);

/// The list of so many elements of which `table` has all values; none if they don't go into it.
std::optional<std::vector<Number>> entries_of(const Column& table, uint64_t entries);

}  // namespace refrain::trace
