// MPI's own functions, for the recorder itself: found when the program has them. Called only under Quiet or
// Busy, and only where they can't fail on what they are given: an error would reach the application's error
// handler. Handles are the library's own (own_handle() in mpi_handles.hpp), as machine words.
#pragma once

#include "record/real.hpp"

// RF_OWN_MPI(MPI_Type_size, int(uint64_t, int*)) declares own_MPI_Type_size().
#define RF_OWN_MPI(name, type)                                         \
  RF_NOTE_NAME(optional, RF_STRING(P##name))                           \
  using own_type_##name = type;                                        \
  static inline own_type_##name* own_##name() {                        \
    static std::atomic<void*> slot;                                    \
    void* found = slot.load(std::memory_order_relaxed);                \
    if (found == nullptr) found = find_real(slot, RF_STRING(P##name)); \
    return reinterpret_cast<own_type_##name*>(found);                  \
  }
