// Which lists of a call have the length that the number before them says. A library takes that many elements
// of each, whatever a made-up trace holds, so replays and kernels refuse calls in which they differ.
#pragma once

#include "api/kinds.hpp"

namespace refrain::plan {

inline bool has_common_length(api::Kind kind) {
  using api::Kind;
  return kind == Kind::int_list || kind == Kind::count_list || kind == Kind::aint_list ||
         kind == Kind::distribution_arguments || kind == Kind::distributions || kind == Kind::mpi_types;
}

}  // namespace refrain::plan
