// Lists that run side by side. HDF5 hands MPI a type with an entry per chunk, and where a loop writes several
// datasets, each entry is a list over them:
//
//     displacement 1    [4896, 98392, 201864, 377464][t]
//     displacement 2    [5408, 98968, 202888, 378040][t]     the one before + [512, 576, 1024, 576][t]
//     displacement 3    [5920, 99544, 203912, 378616][t]     the one before + [512, 576, 1024, 576][t]
//
// In a file such a value stands as its difference to the one before it. The differences are equal, and the
// compression of the file leaves one of them.
#pragma once

#include <optional>

#include "trace/value.hpp"

namespace refrain::trace {

/// What must be added to `before`, integer by integer, so that it is `v`, as bytes. None unless both are
/// lists, not too long, that are alike in all but the integers in them (elements, and constants and tables of
/// expressions), and the bytes are fewer than those of `v`.
std::optional<ByteWriter> written_difference(const Value& v, const Value& before);

/// The value of which the difference to `before` follows. Accepts any bytes.
Value read_difference(ByteReader& in, const Value& before);

}  // namespace refrain::trace
