// MPI's own functions, for the recorder itself: found when the program has them. Called only under Quiet or
// Busy, and only where they can't fail on what they are given: an error would reach the application's error
// handler.
#pragma once

#define OMPI_SKIP_MPICXX
#include <mpi.h>

#include "record/real.hpp"

#ifdef REFRAIN_WRAP
#define RF_OWN_MPI(name) \
  _Pragma(RF_STRING(weak P##name)) static inline decltype(&::P##name) own_##name() { return &::P##name; }
#else
#define RF_OWN_MPI(name)                                               \
  static inline decltype(&::P##name) own_##name() {                    \
    static std::atomic<void*> slot;                                    \
    void* found = slot.load(std::memory_order_relaxed);                \
    if (found == nullptr) found = find_real(slot, RF_STRING(P##name)); \
    return reinterpret_cast<decltype(&::P##name)>(found);              \
  }
#endif
