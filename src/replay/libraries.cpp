// See libraries.hpp. Debian gives the serial and the parallel HDF5 names of their own; elsewhere there is
// one.
#include "replay/libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>

#include "base/launcher.hpp"
#include "replay/replay_error.hpp"
#include "replay/thread_context.hpp"

namespace refrain::replay {
namespace {

/// An identifier that HDF5 defines itself: in a variable, returned by a function, or the same everywhere.
struct Hdf5Constant {
  std::string_view name;
  const char* variable = nullptr;
  const char* function = nullptr;
  int64_t value = 0;
};
constexpr Hdf5Constant hdf5_constants[] = {
#define PREDEFINED(handle_class, name, variable) {#name, #variable},
#define PREDEFINED_DRIVER(handle_class, name, function) {#name, nullptr, #function},
#define PREDEFINED_VALUE(handle_class, name, value) {#name, nullptr, nullptr, value},
#include "api/hdf5/predefined.def"
#undef PREDEFINED
#undef PREDEFINED_DRIVER
#undef PREDEFINED_VALUE
};

const Hdf5Constant* find_hdf5_constant(std::string_view name) {
  const Hdf5Constant* found = std::find_if(std::begin(hdf5_constants), std::end(hdf5_constants),
                                           [&](const Hdf5Constant& c) { return c.name == name; });
  return found == std::end(hdf5_constants) ? nullptr : found;
}

/// Opens the first of these libraries that is there, or the one that the environment names.
void open_library(const char* setting, std::string_view what, const std::vector<std::string>& files) {
  Quiet quiet;  // libraries read their settings when they are loaded
  const char* chosen = getenv(setting);
  if (chosen != nullptr) {
    if (dlopen(chosen, RTLD_NOW | RTLD_GLOBAL) == nullptr)
      throw ReplayError{fmt::format("{} names '{}', which can't be opened", setting, chosen)};
    return;
  }
  for (const std::string& file : files)
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
  throw ReplayError{fmt::format("no {} library is found ({} may name one)", what, setting)};
}

/// The files of MPI libraries, those first whose ranks meet as this launcher's do.
std::vector<std::string> mpi_files() {
  std::vector<std::string> files;
  bool by_pmi = ranks_meet_by_pmi();
  for (bool fits : {true, false})
    for (const api::MpiLibrary& library : api::mpi_libraries())
      for (const char* file : library.libraries)
        if (file != nullptr && (library.meets_by_pmi == by_pmi) == fits) files.emplace_back(file);
  return files;
}

/// What glibc before 2.33 doesn't have under its name, because each program holds its own; nullptr for
/// others.
void* held_by_programs(std::string_view name) {
  using Stat = int(const char*, struct stat*);
  if (name == "stat") return reinterpret_cast<void*>(static_cast<Stat*>(&::stat));
  if (name == "lstat") return reinterpret_cast<void*>(&::lstat);
  if (name == "fstat") return reinterpret_cast<void*>(&::fstat);
  if (name == "fstatat") return reinterpret_cast<void*>(&::fstatat);
  if (name == "mknod") return reinterpret_cast<void*>(&::mknod);
  return nullptr;
}

}  // namespace

/// The names under which a library may be found.
std::vector<std::string> Libraries::files_of(const api::LayerFacts& library, bool parallel) {
  if (library.libraries[0] == nullptr) return mpi_files();
  std::vector<std::string> files;
  for (const char* name : parallel ? library.parallel_libraries : library.libraries) {
    if (name == nullptr) continue;
    std::string file = name;
    if (auto place = file.find('%'); place != std::string::npos) file.replace(place, 1, mpi().suffix);
    files.push_back(file);
  }
  return files;
}

void Libraries::need(std::string_view layer) {
  const api::LayerFacts& library = api::layer_named(api::layer_named(layer).home);
  bool& is_open = open_[static_cast<size_t>(api::layer_number(library.name))];
  if (library.chosen_by == nullptr || is_open) return;
  bool parallel = parallel_ && library.parallel_libraries[0] != nullptr;
  std::string what = (parallel ? "parallel " : "") + std::string(library.product);
  open_library(library.chosen_by, what, files_of(library, parallel));
  is_open = true;
}

// The executable comes first in the scope that is searched, as variables need it: see record/real.hpp.
void* Libraries::find(std::string_view layer, std::string_view name, const char* what) {
  if (lookup_ != nullptr) return lookup_(name);
  std::lock_guard lock(mutex_);  // taken again where one library needs another
  if (auto known = found_.find(name); known != found_.end()) return known->second;
  need(layer);
  void* found = dlsym(RTLD_DEFAULT, std::string(name).c_str());
  if (found == nullptr && api::layer_named(layer).numbers_replaced)
    found = dlsym(RTLD_DEFAULT, (std::string(name) + "1").c_str());
  if (found == nullptr) found = held_by_programs(name);
  if (found == nullptr) throw ReplayError{fmt::format("there is no {} {} here", what, name)};
  return found_[std::string(name)] = found;
}

void* Libraries::function(std::string_view name) {
  return find(api::layer_of_symbol(name), name, "function");
}
void* Libraries::variable(api::Layer layer, std::string_view name) {
  return find(api::facts_of(layer).name, name, "variable");
}

unsigned Libraries::hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  get<int(unsigned*, unsigned*, unsigned*)>("H5get_libversion")(&major, &minor, &release);
  return major * 100 + minor;
}

bool Libraries::is_fixed(std::string_view name) {
  const Hdf5Constant* constant = find_hdf5_constant(name);
  return constant == nullptr || (constant->variable == nullptr && constant->function == nullptr);
}

uint64_t Libraries::predefined(std::string_view name) {
  auto names = api::mpi_handle_names();
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].name != name) continue;
    const api::MpiLibrary::Place& place = mpi().places[i];
    if (place.is_value) return place.value;
    if (place.variable == nullptr) throw ReplayError{fmt::format("{} has no {}", mpi().name, name)};
    return reinterpret_cast<uint64_t>(variable(api::Layer::mpi, place.variable));
  }
  if (const Hdf5Constant* constant = find_hdf5_constant(name)) {
    if (constant->function != nullptr) return static_cast<uint64_t>(get<int64_t()>(constant->function)());
    if (constant->variable == nullptr) return static_cast<uint64_t>(constant->value);
    get<int()>("H5open")();
    return static_cast<uint64_t>(
        *static_cast<const int64_t*>(variable(api::Layer::hdf5, constant->variable)));
  }
  throw ReplayError{fmt::format("uses an object that it did not make ({})", name)};
}

const api::MpiLibrary& Libraries::mpi() {
  if (lookup_ != nullptr) return api::mpi_libraries()[0];
  if (const api::MpiLibrary* known = mpi_) return *known;
  auto [version, found] = api::identify_mpi_library(get<int(char*, int*)>("MPI_Get_library_version"));
  if (found == nullptr) throw ReplayError{fmt::format("the MPI library here is not known: {:.100}", version)};
  mpi_ = found;
  return *found;
}

bool Libraries::has_mpi() const {
  return lookup_ != nullptr || dlsym(RTLD_DEFAULT, "MPI_Get_library_version") != nullptr;
}

size_t Libraries::handle_bytes(api::HandleClass c) {
  bool of_mpi = api::facts_of(c).type.starts_with("MPI_");
  return of_mpi ? mpi().handle_bytes(c) : sizeof(uint64_t);
}

uint64_t Libraries::closed_list() {
  Quiet quiet;
  auto list = get<int64_t(int64_t)>("H5Pcreate")(static_cast<int64_t>(predefined("H5P_DATASET_XFER")));
  get<int(int64_t)>("H5Pclose")(list);
  return static_cast<uint64_t>(list);
}

}  // namespace refrain::replay
