// See libraries.hpp. Debian gives the serial and the parallel HDF5 names of their own; elsewhere there is
// one.
#include "replay/libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cctype>

#include "replay/replay_error.hpp"
#include "replay/thread_context.hpp"
#ifdef REFRAIN_REPLAY_MPI
#include <mpi.h>
#endif

namespace refrain::replay {
namespace {

#ifdef REFRAIN_REPLAY_MPI
// A predefined handle of Open MPI is the address of a variable; this turns the header's spelling of that
// address into the variable's name.
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) global
#define RF_STRING_OF(x) #x
#define RF_STRING(x) RF_STRING_OF(x)
#endif

struct Variable {
  std::string_view name;
  const char* variable;
};
#ifdef REFRAIN_REPLAY_MPI
constexpr Variable mpi_variables[] = {
#define PREDEFINED(handle_class, name) {#name, RF_STRING(name)},
#include "api/mpi/predefined.def"
#undef PREDEFINED
};
#endif
constexpr Variable hdf5_variables[] = {
#define PREDEFINED(handle_class, name, variable) {#name, #variable},
#define PREDEFINED_VALUE(...)
#include "api/hdf5/predefined.def"
#undef PREDEFINED
#undef PREDEFINED_VALUE
};

/// Opens the first of these libraries that is there, or the one that the environment names.
void open_library(const char* setting, std::string_view what, const api::LayerFacts::Names& names) {
  Quiet quiet;  // libraries read their settings when they are loaded
  const char* chosen = getenv(setting);
  if (chosen != nullptr) {
    if (dlopen(chosen, RTLD_NOW | RTLD_GLOBAL) == nullptr)
      throw ReplayError{fmt::format("{} names '{}', which can't be opened", setting, chosen)};
    return;
  }
  for (const char* name : names)
    if (name != nullptr && dlopen(name, RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
  throw ReplayError{fmt::format("no {} library is found ({} may name one)", what, setting)};
}

}  // namespace

void Libraries::need(std::string_view layer) {
  const api::LayerFacts& library = api::layer_named(api::layer_named(layer).library);
  bool& is_open = open_[static_cast<size_t>(api::layer_number(library.name))];
  if (library.library_setting == nullptr || is_open) return;
  bool parallel = parallel_ && library.parallel_libraries[0] != nullptr;
  std::string what = (parallel ? "parallel " : "") + std::string(library.library_name);
  open_library(library.library_setting, what, parallel ? library.parallel_libraries : library.libraries);
  is_open = true;
}

// The executable comes first in the scope that is searched, as variables need it: see record/real.hpp.
void* Libraries::find(std::string_view layer, std::string_view name, const char* what) {
  if (lookup_ != nullptr) return lookup_(name);
  std::lock_guard lock(mutex_);
  if (auto known = found_.find(name); known != found_.end()) return known->second;
  need(layer);
  void* found = dlsym(RTLD_DEFAULT, std::string(name).c_str());
  if (found == nullptr) throw ReplayError{fmt::format("there is no {} {} here", what, name)};
  return found_[std::string(name)] = found;
}

void* Libraries::function(std::string_view name) {
  return find(api::layer_of_symbol(name), name, "function");
}
void* Libraries::variable(api::Layer layer, std::string_view name) {
  return find(api::facts_of(layer).name, name, "variable");
}

bool Libraries::is_fixed(std::string_view name) {
  return !name.starts_with("H5") || name == "H5S_ALL" || name == "H5P_DEFAULT" || name == "H5E_DEFAULT";
}

uint64_t Libraries::predefined(std::string_view name) {
#ifdef REFRAIN_REPLAY_MPI
  for (const Variable& v : mpi_variables)
    if (v.name == name) return reinterpret_cast<uint64_t>(variable(api::Layer::mpi, v.variable));
#else
  if (name.starts_with("MPI_")) throw ReplayError{"this Refrain was built without MPI"};
#endif
  for (const Variable& v : hdf5_variables) {
    if (v.name != name) continue;
    get<int()>("H5open")();
    return static_cast<uint64_t>(*static_cast<const int64_t*>(variable(api::Layer::hdf5, v.variable)));
  }
  if (name.starts_with("H5FD_")) {  // a driver, told by a function: H5FD_SEC2 by H5FD_sec2_init
    std::string init(name);
    std::transform(init.begin() + 5, init.end(), init.begin() + 5,
                   [](char c) { return static_cast<char>(tolower(c)); });
    return static_cast<uint64_t>(get<int64_t()>(init + "_init")());
  }
  if (name == "H5S_ALL" || name == "H5P_DEFAULT" || name == "H5E_DEFAULT") return 0;
  if (name == "H5I_INVALID_HID") return ~uint64_t{0};
  throw ReplayError{fmt::format("uses an object that it did not make ({})", name)};
}

uint64_t Libraries::closed_list() {
  Quiet quiet;
  auto list = get<int64_t(int64_t)>("H5Pcreate")(static_cast<int64_t>(predefined("H5P_DATASET_XFER")));
  get<int(int64_t)>("H5Pclose")(list);
  return static_cast<uint64_t>(list);
}

}  // namespace refrain::replay
