// Why a call of HDF5 failed: the innermost of the errors on its stack. Walking the stack is one of the few
// things that leave it as it is.
#include <atomic>
#include <iterator>

#include "record/hdf5_callers.hpp"
#include "record/hdf5_library.hpp"

namespace refrain::record::hdf5 {
namespace {

struct KnownError {
  const char* name;
  const char* variable;
};
constexpr KnownError errors[] = {
#define H5_ERROR(name) {#name, #name "_g"},
#include "api/hdf5/errors.def"
};

/// As far as it matters of H5E_error2_t.
struct Entry {
  Identifier error_class, major, minor;
};
using Walk = int(Identifier stack, int direction, int (*visit)(unsigned, const Entry*, void*), void* data);

int take_minor(unsigned, const Entry* entry, void* minor) {
  *static_cast<Identifier*>(minor) = entry->minor;
  return 1;  // the first one will do
}

#define H5_ERROR(name) RF_NOTE_NAME(optional, #name "_g")
#include "api/hdf5/errors.def"
RF_NOTE_NAME(optional, "H5Ewalk2")

const Identifier* find_error(size_t i) {
  return static_cast<const Identifier*>(find_recorded_variable(errors[i].variable));
}
Walk* find_walk() {
  static std::atomic<Walk*> found{nullptr};
  if (found.load(std::memory_order_relaxed) == nullptr)
    found.store(reinterpret_cast<Walk*>(find_recorded_function("H5Ewalk2")), std::memory_order_relaxed);
  return found.load(std::memory_order_relaxed);
}

}  // namespace

int last_error() {
  constexpr int unknown = 1, innermost_first = 0;  // H5E_WALK_UPWARD
  constexpr Identifier default_stack = 0;
  Identifier minor = 0;
  Walk* walk = find_walk();
  if (walk == nullptr || walk(default_stack, innermost_first, take_minor, &minor) < 0 || minor <= 0)
    return unknown;
  static std::atomic<const Identifier*> variables[std::size(errors)];
  for (size_t i = 0; i < std::size(errors); ++i) {
    const Identifier* variable = variables[i].load(std::memory_order_relaxed);
    if (variable == nullptr) {
      variable = find_error(i);
      variables[i].store(variable, std::memory_order_relaxed);
    }
    if (variable != nullptr && *variable == minor) return static_cast<int>(i) + unknown + 1;
  }
  return unknown;
}

std::string error_name(int number) {
  size_t i = static_cast<size_t>(number) - 2;
  return number >= 2 && i < std::size(errors) ? errors[i].name : "FAIL";
}

}  // namespace refrain::record::hdf5
