// MPI's own functions, for the recorder itself: found when the program has them. Called only under Quiet or
// Busy, and only where they can't fail on what they are given: an error would reach the application's error
// handler. Handles are the library's own (own_handle() in mpi_handles.hpp), as machine words.
#pragma once

#include "record/real.hpp"

// RF_OWN_MPI(MPI_Type_size, int(uint64_t, int*)) declares own_MPI_Type_size().
#ifdef REFRAIN_WRAP
#define RF_OWN_MPI(name, type)                                                                    \
  using own_type_##name = type;                                                                   \
  extern "C" __attribute__((weak)) own_type_##name own_symbol_##name __asm__(RF_STRING(P##name)); \
  static inline own_type_##name* own_##name() { return &own_symbol_##name; }
#else
#define RF_OWN_MPI(name, type)                                         \
  using own_type_##name = type;                                        \
  static inline own_type_##name* own_##name() {                        \
    static std::atomic<void*> slot;                                    \
    void* found = slot.load(std::memory_order_relaxed);                \
    if (found == nullptr) found = find_real(slot, RF_STRING(P##name)); \
    return reinterpret_cast<own_type_##name*>(found);                  \
  }
#endif
