// What is particular to an MPI library: how wide handles are, where the predefined ones are, which numbers
// stand for constants, how a status is laid out. A program brings its own library, so all of this is chosen
// at run time; nothing of Refrain is compiled with a library's mpi.h but a check of these tables.
//
// Each library, or family of libraries with one binary interface, is a file of src/api/mpi and a line in
// libraries.def. Its rows:
//
//   MPI_LIBRARY(id, .field = ...)           what it is; the fields below
//   AT(name, variable)                      a predefined handle is the address of this variable
//   IS(name, value)                         a predefined handle is this number
//   VALUE(kind, name, value)                a constant that has another number than in names.def
//   FLAG_VALUE(kind, name, value)           a flag of a kind whose flags have other numbers than there: all
//   of them MADE_BY(combiner, value, function)      the number by which MPI says that a function made a
//   datatype MPI_LIBRARY_END
//
// Traces keep names, and handles as slots: they don't depend on the library.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "api/handle_class.hpp"
#include "api/kinds.hpp"
#include "api/table.hpp"

namespace refrain::api {

struct MpiHandleName {
  HandleClass handle_class;
  const char* name;
};
/// The predefined handles, in the order of predefined.def.
std::span<const MpiHandleName> mpi_handle_names();

/// How a status says how many bytes a transfer moved.
enum class StatusCount : uint8_t {
  word_at_16,   ///< as a word of 8 bytes, 16 bytes from its beginning
  split_at_0,   ///< the lower 32 bits, then the upper ones, shifted by one
  by_function,  ///< MPI has to be asked
};

struct MpiLibrary {
  std::string_view name;
  /// What MPI_Get_library_version says, of any library of the family.
  std::array<const char*, 6> says{};
  /// How the name of the file begins that it is in, if other libraries say the same.
  const char* file = nullptr;
  /// Where replays find it.
  std::array<const char*, 4> libraries{};
  /// What distributions call it in the names of libraries that are made with it: libhdf5_openmpi.so.
  std::string_view suffix{};
  /// Its launcher lets ranks meet by PMI, not by PMIx.
  bool meets_by_pmi = false;
  /// What handles are; those of files are addresses of objects everywhere.
  enum class Handles : uint8_t { addresses, numbers, words } handles = Handles::words;
  StatusCount count = StatusCount::by_function;
  uint64_t status_ignore = 0;  ///< MPI_STATUS_IGNORE
  uint64_t unweighted = 0;     ///< MPI_UNWEIGHTED; 0: the content of the variable of that name
  uint64_t weights_empty = 0;  ///< MPI_WEIGHTS_EMPTY, likewise
  int default_argument = 0;    ///< MPI_DISTRIBUTE_DFLT_DARG
  int named_combiner = 0;      ///< MPI_COMBINER_NAMED

  /// Where a predefined handle is; neither: the library has none of that name.
  struct Place {
    const char* variable = nullptr;
    uint64_t value = 0;
    bool is_value = false;
  };
  /// By the order of mpi_handle_names().
  std::span<const Place> places{};

  struct Constant {
    Kind kind;
    std::string_view name;
    int64_t value;
    bool is_flag = false;
  };
  /// Those that names.def has other numbers for.
  std::span<const Constant> constants{};

  struct Maker {
    int combiner;  ///< what MPI_Type_get_envelope tells
    RowId function;
  };
  std::span<const Maker> makers{};

  /// Bytes of a handle in memory.
  size_t handle_bytes(HandleClass c) const {
    return handles == Handles::numbers && c != HandleClass::mpi_file ? 4 : 8;
  }
  bool handles_are_addresses(HandleClass c) const {
    return handles == Handles::addresses || c == HandleClass::mpi_file;
  }
  /// The number by which names.def knows a constant of this library, and back.
  int64_t to_named(Kind kind, int64_t value) const;
  int64_t from_named(Kind kind, int64_t value) const;
};

std::span<const MpiLibrary> mpi_libraries();
/// The library that says this of itself (MPI_Get_library_version) and is in a file of that name; nullptr if
/// none is known.
const MpiLibrary* find_mpi_library(std::string_view version, std::string_view file);

/// What the library with this MPI_Get_library_version says of itself, and its table. Takes no memory: it is
/// asked inside applications.
struct MpiIdentity {
  const char* version = "";
  const MpiLibrary* table = nullptr;
};
MpiIdentity identify_mpi_library(int (*get_version)(char*, int*));

/// MPI_DISPLACEMENT_CURRENT in names.def.
constexpr int64_t current_displacement = -54278278;
/// In traces, for MPI_DISTRIBUTE_DFLT_DARG.
constexpr int default_distribution_argument = -1;

}  // namespace refrain::api
