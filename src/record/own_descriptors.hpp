// Descriptors that the recorder keeps open in some processes. To the application they aren't: what closes all
// that it could have passes them by.
#pragma once

#include "part/kept_folder.hpp"
#include "record/written_pages.hpp"

namespace refrain::record {

inline bool is_own_descriptor(int fd) {
  if (!has_high_copies.load(std::memory_order_relaxed)) [[likely]]
    return false;
  return fd >= 0 && (fd == kept_folder() || is_watching_descriptor(fd));
}

/// The lowest from `first` on, or -1.
inline int next_own_descriptor(unsigned first) {
  int next = -1;
  for (int fd : {kept_folder(), watching_descriptor()})
    if (fd >= 0 && static_cast<unsigned>(fd) >= first && (next < 0 || fd < next)) next = fd;
  return next;
}

}  // namespace refrain::record
