// Which handle of a run: its class, the thread that made it, its slot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.hpp"

namespace refrain::measure {

struct HandleKey {
  uint32_t handle_class;
  int32_t thread;
  int64_t slot;
  bool operator==(const HandleKey&) const = default;
};

struct HandleKeyHash {
  size_t operator()(const HandleKey& k) const {
    return hash_combine(hash_combine(k.handle_class, static_cast<uint64_t>(k.slot)),
                        static_cast<uint64_t>(k.thread));
  }
};

}  // namespace refrain::measure
