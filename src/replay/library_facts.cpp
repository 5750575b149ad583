#include "replay/library_facts.hpp"

#include <vector>

#include "replay/replay_error.hpp"
#include "replay/thread_context.hpp"

namespace refrain::replay {
namespace {

// Classes of types, as HDF5 numbers them.
constexpr int class_string = 3, class_reference = 7, class_vlen = 9;

int do_nothing(...) { return 0; }

}  // namespace

Hdf5Elements hdf5_elements(Libraries& libraries, uint64_t type, uint64_t space, uint64_t dataset) {
  Quiet quiet;
  auto id = static_cast<int64_t>(type);
  auto get = [&]<class Function>(Function*, const char* name) { return libraries.get<Function>(name); };
  auto has = get(static_cast<int (*)(int64_t, int)>(nullptr), "H5Tdetect_class");
  auto close = get(static_cast<int (*)(int64_t)>(nullptr), "H5Sclose");
  int64_t own = -1;
  if (space == 0 && static_cast<int64_t>(dataset) >= 0)
    own = get(static_cast<int64_t (*)(int64_t)>(nullptr), "H5Dget_space")(static_cast<int64_t>(dataset));
  Hdf5Elements elements;
  int64_t described = own >= 0 ? own : static_cast<int64_t>(space);
  if (described > 2) {  // not H5S_BLOCK or H5S_PLIST, which came with 1.14
    int64_t points =
        get(static_cast<int64_t (*)(int64_t)>(nullptr), "H5Sget_simple_extent_npoints")(described);
    uint64_t size = get(static_cast<size_t (*)(int64_t)>(nullptr), "H5Tget_size")(id);
    elements.bytes = Buffers::bytes_of(points > 0 ? static_cast<uint64_t>(points) : 0, size);
  }
  if (own >= 0) close(own);
  elements.plain = has(id, class_vlen) <= 0 && has(id, class_reference) <= 0;
  bool text = has(id, class_string) > 0;
  bool simple_text = get(static_cast<int (*)(int64_t)>(nullptr), "H5Tget_class")(id) == class_string &&
                     get(static_cast<int (*)(int64_t)>(nullptr), "H5Tis_variable_str")(id) <= 0;
  if (text && !simple_text) elements.plain = false;
  return elements;
}

uint64_t hdf5_type_size(Libraries& libraries, uint64_t type) {
  Quiet quiet;
  return libraries.get<size_t(int64_t)>("H5Tget_size")(static_cast<int64_t>(type));
}

uint64_t mpi_weights(Libraries& libraries, std::string_view name) {
  const api::MpiLibrary& mpi = libraries.mpi();
  uint64_t value = name == "MPI_UNWEIGHTED" ? mpi.unweighted : mpi.weights_empty;
  return value != 0 ? value : *static_cast<const uint64_t*>(libraries.variable(api::Layer::mpi, name));
}

std::string mpi_reason(Libraries& libraries, int code) {
  Quiet quiet;
  std::vector<char> text(4096);
  int length = 0;
  libraries.get<int(int, char*, int*)>("MPI_Error_string")(code, text.data(), &length);
  return text.data();
}

const void* ignored_function() { return reinterpret_cast<const void*>(&do_nothing); }

}  // namespace refrain::replay
