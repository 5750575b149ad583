// Which descriptors lead to files that are gated: regular files and disks, but for those that the rules leave
// out (/proc, /dev and MPI's own files by default, as when recording) and those in memory, whose bandwidth
// nobody shares. What a descriptor is open on is looked at once and remembered until something closes it.
#pragma once

#include <atomic>
#include <cstdint>

namespace refrain::gate {

enum class Descriptor : uint8_t { unknown, gated, passing };

inline constexpr int max_remembered = 1 << 16;
extern std::atomic<Descriptor> descriptors[max_remembered];

/// Looks at what the descriptor is open on, and remembers it.
Descriptor look_at(int fd);

[[gnu::always_inline]] inline bool is_gated(int fd) {
  if (static_cast<unsigned>(fd) >= max_remembered) [[unlikely]]
    return fd >= 0 && look_at(fd) == Descriptor::gated;
  Descriptor known = descriptors[fd].load(std::memory_order_relaxed);
  if (known == Descriptor::unknown) [[unlikely]]
    known = look_at(fd);
  return known == Descriptor::gated;
}

/// The same without a look at what was never used.
inline bool is_known_as_gated(int fd) {
  return static_cast<unsigned>(fd) < max_remembered &&
         descriptors[fd].load(std::memory_order_relaxed) == Descriptor::gated;
}

inline void forget(int fd) {
  if (static_cast<unsigned>(fd) < max_remembered)
    descriptors[fd].store(Descriptor::unknown, std::memory_order_relaxed);
}
void forget_from(unsigned first, unsigned last);

/// Rules as part/filter.hpp has them; the text must stay.
void set_rules(const char* rules);

}  // namespace refrain::gate
