// The functions behind the hooks. In the preload library they are the next definitions after ours; in the
// link-time library the linker supplies them as __real_NAME.
#pragma once

#include <dirent.h>

#include <atomic>
#include <cstdio>

namespace refrain::record {

/// Looks the next definition up and remembers it in `slot`. A function that nobody else defines fails with
/// ENOSYS.
void* find_real(std::atomic<void*>& slot, const char* name);

/// The address of code, in a type that can't be taken for a variable's.
using FunctionAddress = void (*)();

/// The definition of a library's function behind our hook, wherever the library is: also in objects that were
/// opened in a scope of their own, as Python opens its modules. Nullptr if no object has it.
FunctionAddress find_function(const char* name);
/// The variable of that name that the program uses. Never the same as looking up a function: the executable
/// may hold a copy (by a copy relocation, the rule on x86-64) that all libraries use in place of the
/// original.
void* find_variable(const char* name);

#define RF_STRING(x) RF_STRING_OF(x)
#define RF_STRING_OF(x) #x

#ifdef REFRAIN_WRAP
constexpr bool linked_in = true;
#define RF_SYMBOL(name) __asm__("__wrap_" RF_STRING(name))
#define RF_TARGET(name) "__wrap_" RF_STRING(name)
#define RF_REAL(name, type)                                                     \
  using function_##name = type;                                                 \
  extern "C" function_##name wrapped_##name __asm__("__real_" RF_STRING(name)); \
  static inline function_##name* real_##name() { return &wrapped_##name; }
#else
constexpr bool linked_in = false;
#define RF_SYMBOL(name) __asm__(RF_STRING(name))
#define RF_TARGET(name) RF_STRING(name)
#define RF_REAL(name, type)                                      \
  using function_##name = type;                                  \
  static std::atomic<void*> slot_##name;                         \
  static inline function_##name* real_##name() {                 \
    void* found = slot_##name.load(std::memory_order_relaxed);   \
    if (found == nullptr) found = find_real(slot_##name, #name); \
    return reinterpret_cast<function_##name*>(found);            \
  }
#endif

/// What stands for a function that was called and not linked: fails with ENOSYS, after having said so.
FunctionAddress absent(const char* name);

// The same for functions of libraries that a program may do without (MPI, HDF5): linked in, they may be
// absent, since a weak reference takes nothing out of a static library.
#ifdef REFRAIN_WRAP
#define RF_LIBRARY_REAL(name, type)                                                                   \
  using function_##name = type;                                                                       \
  extern "C" __attribute__((weak)) function_##name wrapped_##name __asm__("__real_" RF_STRING(name)); \
  static inline function_##name* real_##name() {                                                      \
    if (&wrapped_##name != nullptr) [[likely]]                                                        \
      return &wrapped_##name;                                                                         \
    return reinterpret_cast<function_##name*>(absent(#name));                                         \
  }
#else
#define RF_LIBRARY_REAL(name, type) RF_REAL(name, type)
#endif

#define RF_HOOK extern "C" __attribute__((visibility("default"), noinline))
// Where the hook's frame begins: the same for all functions called from one place.
#define RF_FRAME static_cast<const char*>(__builtin_dwarf_cfa())
#define RF_SITE __builtin_return_address(0)

// Another symbol at the same address.
#define RF_ALIAS_HOOK(symbol, function)     \
  extern "C"                                \
      __attribute__((visibility("default"), \
                     alias(RF_TARGET(function)))) decltype(hook_##function) hook_##symbol RF_SYMBOL(symbol);

namespace real {
/// The libraries' own, for looking below a stream or folder.
int fileno(FILE* stream);
int dirfd(DIR* folder);
bool at_end(FILE* stream);
}  // namespace real

}  // namespace refrain::record
