// Which HDF5 a call is meant for. A process may hold two libraries, say a serial one below the program and a
// parallel one below a Python module; each caller was linked with one of them, and our hooks stand before
// both. The library that is called first is recorded. Calls from objects that were linked with another one
// are passed on to that, unrecorded: identifiers of the two would look alike.
#pragma once

#include <atomic>
#include <cstdint>

#include "record/real.hpp"

namespace refrain::record::hdf5 {

/// A loaded object that calls HDF5.
struct Caller {
  uint64_t begin, end;  ///< where it lies
  void* hdf5;           ///< the HDF5 it was linked with, as dlsym() takes it
  bool foreign;         ///< not the one that is recorded
  bool is_netcdf;       ///< the library that calls HDF5 on behalf of its callers, and at exit on its own
};
extern std::atomic<const Caller*> last_caller;
const Caller* find_caller(const void* site);

/// The caller that `site` lies in; nullptr if it can't be told.
[[gnu::always_inline]] inline const Caller* caller_at(const void* site) {
  // Relaxed, for an acquiring load would wait for the last event's commit: what a caller holds is read
  // through its address, and so after that.
  const Caller* caller = last_caller.load(std::memory_order_relaxed);
  auto at = reinterpret_cast<uint64_t>(site);
  if (caller != nullptr && at >= caller->begin && at < caller->end) [[likely]]
    return caller;
  return find_caller(site);
}

/// A function of the library that `caller` was linked with.
FunctionAddress function_for(const Caller& caller, const char* name);
/// The function of another library than the recorded one, if that is what the call is meant for.
[[gnu::always_inline]] inline FunctionAddress elsewhere(const void* site, const char* name) {
  const Caller* caller = caller_at(site);
  return caller == nullptr || !caller->foreign ? nullptr : function_for(*caller, name);
}
/// Looks a function of the recorded library up and remembers it in `slot`.
void* find_recorded(std::atomic<void*>& slot, const char* name);
/// The same for a function that is looked up once.
FunctionAddress find_recorded_function(const char* name);
/// The variable of the recorded library, or the program's copy of it.
void* find_recorded_variable(const char* name);

// The function behind a hook, in the library that is recorded.
#define RF_HDF5_REAL(name, type)                                           \
  RF_NOTE_NAME(optional, RF_STRING(name))                                  \
  using function_##name = type;                                            \
  static std::atomic<void*> slot_##name;                                   \
  static inline function_##name* real_##name() {                           \
    void* found = slot_##name.load(std::memory_order_relaxed);             \
    if (found == nullptr) found = hdf5::find_recorded(slot_##name, #name); \
    return reinterpret_cast<function_##name*>(found);                      \
  }

}  // namespace refrain::record::hdf5
