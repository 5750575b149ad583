// What a call does to files, read off its signature: moves data, moves a position, opens, shares or closes a
// handle. Knows no functions, only the roles and kinds of operands (and one function without any).
#pragma once

#include <cstdint>
#include <vector>

#include "trace/signature.hpp"

namespace refrain::measure {

struct AccessRule {
  enum class Effect : uint8_t { none, data, seek, open, share, close };
  enum class Whence : uint8_t { start, current, end };
  static constexpr uint32_t absent = UINT32_MAX;

  /// A handle among the parameters.
  struct Slot {
    uint32_t parameter = absent;
    uint32_t handle_class = 0;  ///< number of its kind and of the thread that makes such handles
    explicit operator bool() const { return parameter != absent; }
  };

  Effect effect = Effect::none;
  bool writes = false;            ///< data: to the file, not from it
  bool positioned = true;         ///< data: it is known where
  bool appends = false;           ///< open: every write goes to the end
  Whence whence = Whence::start;  ///< seek
  Slot handle{};                  ///< that the call works on
  Slot made{};                    ///< open, share: the new one
  uint32_t bytes = absent;        ///< data: first parameter that counts them
  uint32_t byte_parameters = 0;
  uint32_t offset = absent;  ///< data: explicit position; seek, open: where to
  uint32_t result = absent;  ///< seek: the new position, if the call says it
  uint32_t path = absent;    ///< open: number of the template; its fields follow
  uint32_t path_fields = 0;
};

/// One rule per signature, in their order.
std::vector<AccessRule> access_rules(const std::vector<trace::Signature>& signatures);

}  // namespace refrain::measure
