// One intercepted call of PnetCDF or netCDF. As for every library with hundreds of functions, an interpreter
// reads the kinds of a row's arguments at run time; hooks only hand it the arguments as words, so that a
// thousand of them compile in no time. Where a call's part of a variable ends, and how much data that is, the
// library itself is asked before the call: how many dimensions the variable has, and how long they are.
//
// What these libraries call of themselves is their own affair, and passes through.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "record/emit.hpp"
#include "record/library_call.hpp"
#include "record/mpi_handles.hpp"
#include "record/recorder.hpp"

namespace refrain::record {

/// What the recorder asks a library, by the library's own functions. Lengths are 64 bits wide in both.
struct NetcdfFunctions {
  int (*inq_varndims)(int file, int variable, int* dimensions);
  int (*inq_vardimid)(int file, int variable, int* dimensions);
  int (*inq_vartype)(int file, int variable, int* type);
  int (*inq_dimlen)(int file, int dimension, int64_t* length);
  int (*inq_attlen)(int file, int variable, const char* name, int64_t* length);
  int (*inq_atttype)(int file, int variable, const char* name, int* type);
  int (*inq_attname)(int file, int variable, int number, char* name);
  int (*inq)(int file, int* dimensions, int* variables, int* attributes, int* unlimited);
  int (*inq_format)(int file, int* format);
  int (*inq_dimname)(int file, int dimension, char* name);
  int (*inq_varname)(int file, int variable, char* name);
  int (*inq_varnatts)(int file, int variable, int* attributes);
  int (*inq_varoffset)(int file, int variable, int64_t* offset);             ///< may be null
  int (*inq_type)(int file, int type, char* name, size_t* bytes) = nullptr;  ///< likewise
  int (*inq_grpname_full)(int group, size_t* length, char* name) = nullptr;  ///< likewise
};

/// A row as its hook knows it.
struct NetcdfRow {
  api::RowId id;
  const Kind* kinds;  ///< of the arguments
  uint32_t count;
  uint32_t element_bytes;  ///< in memory; 0 if the function's name doesn't tell
  HandleClass files;
  const NetcdfFunctions& (*functions)();
};

/// How many bytes a number has to which a pointer leads; 0 if it leads to none. Of a list of pointers, where
/// each of them leads.
template <class T>
constexpr uint32_t bytes_behind() {
  using Behind = std::remove_pointer_t<T>;
  if constexpr (std::is_pointer_v<Behind>)
    return bytes_behind<Behind>();
  else if constexpr (std::is_arithmetic_v<Behind> && std::is_pointer_v<T>)
    return sizeof(Behind);
  else
    return 0;
}
/// The same for the argument that is data.
template <class... A>
constexpr uint32_t element_bytes(const Kind* kinds) {
  constexpr uint32_t bytes[] = {bytes_behind<A>()..., 0};
  for (size_t i = 0; i < sizeof...(A); ++i) {
    api::Form form = api::form_of(kinds[i]);
    if (form == api::Form::string_data || kinds[i] == Kind::nc_strings_out ||
        kinds[i] == Kind::nc_attribute_strings_out)
      return sizeof(char*);
    if (form == api::Form::variable_data || form == api::Form::several_data) return bytes[i];
  }
  return 0;
}

/// What a file holds, as far as it shapes another like it; see netcdf_header.cpp.
struct NetcdfHeader {
  std::vector<int64_t> numbers{};
  std::vector<std::string> names{};  ///< with `/` between them, in pieces that fit into a trace
};
NetcdfHeader header_of(const NetcdfFunctions& ask, int file);

class NetcdfCall {
 public:
  static constexpr size_t max_arguments = 12;

  /// `words` are the arguments, which must stay where they are.
  NetcdfCall(const NetcdfRow& row, const uint64_t* words, const void* site, const char* frame);
  ~NetcdfCall() { leave(); }
  NetcdfCall(const NetcdfCall&) = delete;
  NetcdfCall& operator=(const NetcdfCall&) = delete;

  /// The library gave this result: records the call.
  int finish(int result);

 private:
  template <class T>
  T* pointer(size_t i) const {
    return reinterpret_cast<T*>(words_[i]);
  }
  int64_t integer(size_t i) const { return static_cast<int64_t>(words_[i]); }
  const NetcdfFunctions& ask() const { return row_.functions(); }
  int file() const { return static_cast<int>(words_[0]); }
  bool has(Kind kind) const { return find(kind) < row_.count; }
  size_t find(Kind kind) const;
  size_t find(api::Form form) const;

  void leave();
  void before();
  void look(size_t i);
  Handle look_at_file(int file);
  void measure();
  int64_t dimensions_of(int64_t variable) const;
  int64_t elements_of(int64_t variable, const int64_t* start, const int64_t* count, bool has_start,
                      bool has_count) const;
  int64_t type_bytes(int type) const;
  int64_t data_bytes() const;
  int64_t one_of_several(size_t k) const;
  int64_t room_of_several(size_t k, int64_t bytes) const;
  const int64_t* row(Kind kind, size_t k) const;
  int64_t attribute_bytes() const;

  void after();
  void name_made();
  void release_closed();
  trace::Bracket bracket() const;
  template <class V>
  void describe(V& v) const;
  template <class V>
  void describe_argument(V& v, size_t i) const;
  template <class V>
  void describe_rows(V& v, size_t i) const;
  template <class V>
  void describe_attribute(V& v, size_t i) const;
  template <class V>
  void describe_result(V& v) const;
  std::string fill_value(size_t i) const;
  size_t several() const;

  const NetcdfRow& row_;
  const uint64_t* words_;
  const char* frame_;
  Lane* lane_;
  std::optional<Running> running_{};
  Outcome outcome_{};
  MpiHandle handles_[max_arguments];
  MpiHandle made_{};
  int64_t dimensions_ = -1;         ///< of the variable
  int64_t bytes_ = -1;              ///< of data; -1 if that can't be told
  std::vector<int64_t> rooms_{};    ///< how much memory each of several variables needs for it
  std::vector<int> requests_{};     ///< which the call forgets
  std::string fill_{};              ///< value, as it stands in the trace
  NetcdfHeader header_{};           ///< of a file that was opened
  std::vector<int64_t> lengths_{};  ///< of strings
  int64_t hint_ = 0;                ///< which the call may change
  bool wanted_ = true;
  /// The file is none that was seen opened: only failures are recorded, and what the call does below counts
  /// by itself.
  bool unknown_ = false;
};

/// The hook of a row, in the namespace of a file that has RF_LIBRARY_REAL for it.
#define RF_NETCDF_HOOK(layer, name, files, functions, result, ...)                                     \
  using type_##name = RF_RESULT_TYPE result(RF_LIST(RF_ARG_TYPE, __VA_ARGS__));                        \
  RF_LIBRARY_REAL(name, type_##name)                                                                   \
  static constexpr api::Kind kinds_##name[] = {RF_LIST(RF_ARG_KIND, __VA_ARGS__)};                     \
  static constexpr NetcdfRow row_##name{                                                               \
      api::RowId::layer##_##name, kinds_##name,                                                        \
      std::size(kinds_##name),    element_bytes<RF_LIST(RF_ARG_TYPE, __VA_ARGS__)>(kinds_##name),      \
      HandleClass::files,         functions};                                                          \
  RF_HOOK RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(name); \
  RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                        \
    const uint64_t words[] = {RF_LIST(RF_ARG_WORD, __VA_ARGS__)};                                      \
    NetcdfCall call(row_##name, words, RF_SITE, RF_FRAME);                                             \
    return call.finish(real_##name()(RF_LIST(RF_ARG_NAME, __VA_ARGS__)));                              \
  }
#define RF_ARG_WORD(type, name, kind) word_of(name)

}  // namespace refrain::record
