// The functions and variables that a replay needs, found at run time: Refrain itself links neither MPI nor
// HDF5. A recorder that is loaded too stands before them, so a replay is recorded like any program.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "api/layers.hpp"
#include "api/mpi/mpi_library.hpp"

namespace refrain::replay {

class Libraries {
 public:
  /// `parallel`: the trace was made with the libraries that are made for MPI, where there are others.
  explicit Libraries(bool parallel) : parallel_(parallel) {}
  /// In place of all libraries, a function that knows every name; for tests.
  using Lookup = void* (*)(std::string_view name);
  explicit Libraries(Lookup lookup) : lookup_(lookup) {}

  /// The function of that name, from the library of the layer that it belongs to. Throws ReplayError if there
  /// is none.
  void* function(std::string_view name);
  /// The variable of that name that all code uses, from the library of a layer, the same way.
  void* variable(api::Layer layer, std::string_view name);
  /// The value of a predefined handle: MPI_COMM_WORLD, H5T_NATIVE_INT. Throws ReplayError if there is none.
  uint64_t predefined(std::string_view name);
  /// Of the HDF5 that is here: 114 for 1.14.
  unsigned hdf5_version();

  /// What is known about the MPI library, which is opened if it wasn't yet. Throws ReplayError if it is none
  /// that Refrain knows.
  const api::MpiLibrary& mpi();
  /// Whether there is one in this process.
  bool has_mpi() const;
  /// Bytes of a handle in memory.
  size_t handle_bytes(api::HandleClass c);

  /// An identifier of HDF5 that was a property list's and is none now.
  uint64_t closed_list();

  /// Whether a predefined handle is the same as long as the process runs; those of HDF5 change when the
  /// library is closed and used again.
  static bool is_fixed(std::string_view name);

  /// A function by its type.
  template <class Function>
  Function* get(std::string_view name) {
    return reinterpret_cast<Function*>(function(name));
  }

 private:
  void need(std::string_view layer);
  std::vector<std::string> files_of(const api::LayerFacts& library, bool parallel);
  void* find(std::string_view layer, std::string_view name, const char* what);

  bool parallel_ = false;
  Lookup lookup_ = nullptr;
  bool open_[static_cast<size_t>(api::Layer::end) + 1] = {};  ///< by layer
  std::recursive_mutex mutex_;
  std::atomic<const api::MpiLibrary*> mpi_ = nullptr;
  std::map<std::string, void*, std::less<>> found_;
};

}  // namespace refrain::replay
