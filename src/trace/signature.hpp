// What an event is, apart from its integers: function, call site, outcome, and the kinds of its operands.
// Loops are found on signatures alone; the integers of an event are its *parameters*, numbered in the
// order of the operands, the result last. A signature describes itself: a reader needs no table of
// functions to print, count or compare events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "trace/template.hpp"

namespace refrain::trace {

enum class OperandKind : uint8_t {
  none,        ///< no result (void)
  integer,     ///< one parameter
  slot,        ///< one parameter: the slot number; `text` is the handle class ("fd"), `thread` who created it
  text,        ///< 1 + `width` parameters: index into the trace's templates, then the values of its fields
  list,        ///< `width` parameters, one per element
  long_list,   ///< one parameter: index into the trace's lists
  name,        ///< no parameter: flags, enumerators, predefined handles, by name in `text`
  data,        ///< no parameter: a buffer whose size follows from the other operands
  sized_data,  ///< one parameter: a buffer of that many bytes
  law_list,    ///< two parameters, in a scale-free trace: how long the list is, and element number `index`
  law_names,   ///< `width` parameters, in a scale-free trace: how often each of the names in `text` stands in
               ///< a list
};

/// What an integer counts, for sums and printing; follows from the declaration of the function.
/// An extent is a size in which -1 means without limit (HDF5's H5S_UNLIMITED).
enum class Role : uint8_t { plain, bytes_read, bytes_written, offset, size, extent };

struct Operand {
  OperandKind kind = OperandKind::none;
  Role role = Role::plain;
  std::string text{};  ///< slot, name, law_names: see above; empty for the other kinds
  uint32_t width = 0;
  int32_t thread = own_thread;  ///< slot: number of the creating thread, or own_thread

  static constexpr int32_t own_thread = -1;
  static constexpr uint32_t max_width = 64;  ///< longer lists are kept whole, by index
  uint32_t parameters() const;
  bool operator==(const Operand&) const = default;
};

/// Whether the call opens or closes something: loops start with opening and end with closing calls.
enum class Bracket : int8_t { closes = -1, neither = 0, opens = 1 };

struct Signature {
  std::string function{};
  std::string layer{};
  uint64_t site = 0;    ///< hash of module and offset of the return address; 0 unknown
  std::string error{};  ///< name of the error code; empty if the call succeeded
  Bracket bracket = Bracket::neither;
  std::vector<Operand> operands{};
  Operand result{};

  static constexpr size_t max_operands = 32;
  static constexpr uint32_t max_parameters = 512;
  uint32_t parameters() const;
  bool operator==(const Signature&) const = default;

  /// Whether such events stand in the stream of a layer. What MPI-IO needs of MPI (communicators, datatypes)
  /// stands in its stream, in order: otherwise nobody could tell which of them a call uses
  /// (api::LayerFacts::stream).
  bool in_stream_of(std::string_view of_layer) const;

  void write(ByteWriter& out) const;
  static Signature read(ByteReader& in);
};

/// Whether arguments of the call are lists or names given by laws, as only scale-free traces have them.
bool has_law_lists(const Signature& signature);
/// Names alone.
bool has_law_names(const Signature& signature);

}  // namespace refrain::trace
