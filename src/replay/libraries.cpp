// See libraries.hpp. Debian gives the serial and the parallel HDF5 names of their own; elsewhere there is
// one.
#include "replay/libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "replay/stage.hpp"
#include "replay/trouble.hpp"
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
#include "api/mpi_predefined.def"
};
#endif
constexpr Variable hdf5_variables[] = {
#define H5_PREDEFINED(name, variable) {#name, #variable},
#include "api/hdf5_predefined.def"
};

/// Opens the first of these libraries that is there, or the one that the environment names.
void open_library(const char* setting, std::string_view what, std::initializer_list<const char*> names) {
  Quiet quiet;  // libraries read their settings when they are loaded
  const char* chosen = getenv(setting);
  if (chosen != nullptr) {
    if (dlopen(chosen, RTLD_NOW | RTLD_GLOBAL) == nullptr)
      throw Trouble{fmt::format("{} names '{}', which can't be opened", setting, chosen)};
    return;
  }
  for (const char* name : names)
    if (dlopen(name, RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
  throw Trouble{fmt::format("no {} library is found ({} may name one)", what, setting)};
}

}  // namespace

void Libraries::need(std::string_view layer) {
  if ((layer == "mpi" || layer == "mpiio") && !has_mpi_) {
    open_library("REFRAIN_MPI_LIBRARY", "MPI", {"libmpi.so.40", "libmpi.so"});
    has_mpi_ = true;
  }
  if (layer != "hdf5" || has_hdf5_) return;
  if (parallel_hdf5_)
    open_library("REFRAIN_HDF5_LIBRARY", "parallel HDF5",
                 {"libhdf5_openmpi.so.103", "libhdf5_openmpi.so", "libhdf5.so.103", "libhdf5.so"});
  else
    open_library("REFRAIN_HDF5_LIBRARY", "HDF5",
                 {"libhdf5_serial.so.103", "libhdf5_serial.so", "libhdf5.so.103", "libhdf5.so"});
  has_hdf5_ = true;
}

// The executable comes first in the scope that is searched, as variables need it: see record/real.hpp.
void* Libraries::find(std::string_view layer, std::string_view name, const char* what) {
  std::lock_guard lock(mutex_);
  if (auto known = found_.find(name); known != found_.end()) return known->second;
  need(layer);
  void* found = dlsym(RTLD_DEFAULT, std::string(name).c_str());
  if (found == nullptr) throw Trouble{fmt::format("there is no {} {} here", what, name)};
  return found_[std::string(name)] = found;
}

void* Libraries::function(std::string_view layer, std::string_view name) {
  return find(layer, name, "function");
}
void* Libraries::variable(std::string_view layer, std::string_view name) {
  return find(layer, name, "variable");
}

bool Libraries::is_fixed(std::string_view name) {
  return !name.starts_with("H5") || name == "H5S_ALL" || name == "H5P_DEFAULT" || name == "H5E_DEFAULT";
}

uint64_t Libraries::predefined(std::string_view name) {
#ifdef REFRAIN_REPLAY_MPI
  for (const Variable& v : mpi_variables)
    if (v.name == name) return reinterpret_cast<uint64_t>(variable("mpi", v.variable));
#endif
  for (const Variable& v : hdf5_variables) {
    if (v.name != name) continue;
    get<int()>("hdf5", "H5open")();
    return static_cast<uint64_t>(*static_cast<const int64_t*>(variable("hdf5", v.variable)));
  }
  if (name.starts_with("H5FD_")) {  // a driver, told by a function: H5FD_SEC2 by H5FD_sec2_init
    std::string init(name);
    std::transform(init.begin() + 5, init.end(), init.begin() + 5,
                   [](char c) { return static_cast<char>(tolower(c)); });
    return static_cast<uint64_t>(get<int64_t()>("hdf5", init + "_init")());
  }
  if (name == "H5S_ALL" || name == "H5P_DEFAULT" || name == "H5E_DEFAULT") return 0;
  if (name == "H5I_INVALID_HID") return ~uint64_t{0};
  throw Trouble{fmt::format("uses an object that it did not make ({})", name)};
}

uint64_t Libraries::closed_list() {
  Quiet quiet;
  auto list =
      get<int64_t(int64_t)>("hdf5", "H5Pcreate")(static_cast<int64_t>(predefined("H5P_DATASET_XFER")));
  get<int(int64_t)>("hdf5", "H5Pclose")(list);
  return static_cast<uint64_t>(list);
}

}  // namespace refrain::replay
