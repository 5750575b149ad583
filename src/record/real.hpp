// The functions behind the hooks. In the preload library they are the next definitions after ours
// (behind_preloaded.cpp); in the link-time library the linker supplies them as __real_NAME
// (behind_linked.cpp). Both are made of the same objects.
#pragma once

#include <dirent.h>

#include <atomic>
#include <cstdio>

namespace refrain::record {

/// Whether this is the link-time library.
extern const bool linked_in;
/// A function or variable behind our hook, where this library finds them. Nullptr if there is none.
void* find_behind_hooks(const char* name);

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

// Notes a name that is looked up where the linker finds it, but no program that runs: the link-time library
// gets a table of these names (link_in.sh). `required` or `optional`: whether each program has what it stands
// for.
#define RF_NOTE_NAME(need, name) \
  __asm__(".pushsection .refrain_names." #need ",\"e\",%progbits\n.string \"" name "\"\n.popsection");

#define RF_SYMBOL(name) __asm__(RF_STRING(name))
#define RF_REAL(name, type)               \
  RF_NOTE_NAME(required, RF_STRING(name)) \
  RF_LOOKED_UP(name, type)
// The same for functions of libraries that a program may do without (MPI, HDF5).
#define RF_LIBRARY_REAL(name, type)       \
  RF_NOTE_NAME(optional, RF_STRING(name)) \
  RF_LOOKED_UP(name, type)
#define RF_LOOKED_UP(name, type)                                 \
  using function_##name = type;                                  \
  static std::atomic<void*> slot_##name;                         \
  static inline function_##name* real_##name() {                 \
    void* found = slot_##name.load(std::memory_order_relaxed);   \
    if (found == nullptr) found = find_real(slot_##name, #name); \
    return reinterpret_cast<function_##name*>(found);            \
  }

/// What stands for a function that the program doesn't have: fails with ENOSYS. Where that can't be meant, it
/// is said first.
FunctionAddress absent(const char* name);
/// As wide as any result, so that it is negative as an int, an ssize_t and an HDF5 identifier.
long missing_function();

#define RF_HOOK extern "C" __attribute__((visibility("default"), noinline))
// Where the hook's frame begins: the same for all functions called from one place.
#define RF_FRAME static_cast<const char*>(__builtin_dwarf_cfa())
#define RF_SITE __builtin_return_address(0)

// Another symbol at the same address.
#define RF_ALIAS_HOOK(symbol, function)     \
  extern "C"                                \
      __attribute__((visibility("default"), \
                     alias(RF_STRING(function)))) decltype(hook_##function) hook_##symbol RF_SYMBOL(symbol);

namespace real {
/// The libraries' own, for looking below a stream or folder.
int fileno(FILE* stream);
int dirfd(DIR* folder);
bool at_end(FILE* stream);
}  // namespace real

}  // namespace refrain::record
