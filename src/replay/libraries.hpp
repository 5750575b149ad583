// The functions and variables that a replay needs, found at run time: Refrain itself links neither MPI nor
// HDF5. A recorder that is loaded too stands before them, so a replay is recorded like any program.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace refrain::replay {

class Libraries {
 public:
  /// Which HDF5 the trace was made with.
  explicit Libraries(bool parallel_hdf5) : parallel_hdf5_(parallel_hdf5) {}

  /// The function of that name, from the library of its layer. Throws Trouble if there is none.
  void* function(std::string_view layer, std::string_view name);
  /// The variable of that name that all code uses, the same way.
  void* variable(std::string_view layer, std::string_view name);
  /// The value of a predefined handle: MPI_COMM_WORLD, H5T_NATIVE_INT. Throws Trouble if there is none.
  uint64_t predefined(std::string_view name);

  /// An identifier of HDF5 that was a property list's and is none now.
  uint64_t closed_list();

  /// Whether a predefined handle is the same as long as the process runs; those of HDF5 change when the
  /// library is closed and used again.
  static bool is_fixed(std::string_view name);

  /// A function by its type.
  template <class Function>
  Function* get(std::string_view layer, std::string_view name) {
    return reinterpret_cast<Function*>(function(layer, name));
  }

 private:
  void need(std::string_view layer);
  void* find(std::string_view layer, std::string_view name, const char* what);

  bool parallel_hdf5_;
  bool has_mpi_ = false;
  bool has_hdf5_ = false;
  std::mutex mutex_;
  std::map<std::string, void*, std::less<>> found_;
};

}  // namespace refrain::replay
