// What the recorder asks HDF5 itself. HDF5 keeps a stack of the errors of the last call and prints it if told
// so; therefore nothing is asked about an identifier that may be invalid except whether it is valid, and
// nothing after a call that failed but why it did.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "record/recorded_handles.hpp"

namespace refrain::record::hdf5 {

/// HDF5's hid_t.
using Identifier = int64_t;

/// The class that the bits of an identifier tell.
HandleClass class_of(Identifier id);
bool is_valid(Identifier id);
/// Whether the library is 1.12 or later.
bool is_since_1_12();
/// H5S_BLOCK and H5S_PLIST, which came with 1.14 beside H5S_ALL, which is 0.
constexpr Identifier space_block = 1, space_of_list = 2;
/// Number of elements of a dataspace, selected or not.
int64_t extent_points(Identifier space);

/// HDF5 ends at exit what the application left open. That is the library's work and not the application's, so
/// handlers of our own stand around HDF5's: registered before and after the call that starts the library.
extern std::atomic<int> started;  ///< 1 once the first of them is registered, 2 once both are
inline bool has_started() { return started.load(std::memory_order_relaxed) == 2; }
void before_start();
void after_start();

/// Gives all predefined identifiers their names in the table of handles, as far as the library has made them.
void name_predefined();
/// The same for a driver, whose identifier is not in a variable; `name` is a literal among those known.
void name_driver(Identifier id, const char* name);
/// The name of a handle that is predefined.
const char* predefined_name(Handle handle);

/// The number of the error that made the last call fail, for error_name(); asking leaves no trace in the
/// library.
int last_error();
/// `H5E_CANTOPENFILE`; `FAIL` if the library gave no reason that is known.
std::string error_name(int number);

// Of valid identifiers only.
int rank_of_space(Identifier space);
int64_t selected_points(Identifier space);
int64_t size_of_type(Identifier type);
bool is_float(Identifier type);
/// A value of the type as text: `text:meters` for a string, `hex:2a000000` for the bytes of anything else.
/// Empty if it holds addresses (of variable length, references), which mean nothing elsewhere.
std::string kept_value(Identifier type, std::span<const char> bytes);
/// A number that stands for the name of the file in which an object is; 0 if there is none.
uint64_t file_of(Identifier object);
/// The name of the object to which a reference leads, in the file of `location`; empty if it has none.
std::string name_of_referred(Identifier location, const void* reference);
/// How many bytes it takes to encode a datatype, a dataspace or a property list, whose class is given; -1 if
/// it can't be told.
int64_t encoded_bytes(Identifier id, HandleClass encoded);
/// Dimensions and number of elements of a dataset or an attribute; false if they can't be told.
struct Extent {
  int rank = 0;
  int64_t points = 0;
};
bool extent_of_dataset(Identifier dataset, Extent& out);
bool extent_of_attribute(Identifier attribute, Extent& out);

}  // namespace refrain::record::hdf5
