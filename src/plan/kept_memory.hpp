// Memory that one call of HDF5 fills and a later one takes: encoded objects, references, values of links. A
// trace holds no data, but what such memory holds follows from the calls that fill it: a kernel or a replay
// that makes them has it again. Which memory a program used is not recorded either; there is one of each
// sort, and what was put there last is taken.
#pragma once

#include <string_view>

#include "trace/trace.hpp"

namespace refrain::plan {

enum class Kept : uint8_t {
  none,
  encoded_type,
  encoded_space,
  encoded_list,  ///< of properties
  object_reference,
  region_reference,
  link_value,
  length,  ///< not kept: how much room there is to encode something
};

/// How much memory there is for encoded objects.
constexpr uint64_t kept_bytes = 1 << 16;

Kept kept_memory(const trace::Signature& signature, std::string_view argument);

}  // namespace refrain::plan
