// What a kind of MPI's arguments means for the handle behind it: looked up when a call is made and again when
// it is described.
#pragma once

#include <array>

#include "api/kinds.hpp"
#include "record/handles.hpp"

namespace refrain::record {

using api::Kind;

struct Meaning {
  HandleClass handle_class = HandleClass::end;
  enum class Use : uint8_t { none, given, behind, freed, made, told } use = Use::none;
};

/// What a kind of handle means for its argument: given by value, behind a pointer, freed, made by the call,
/// or told.
constexpr Meaning spell_meaning(Kind kind) {
  using Use = Meaning::Use;
  switch (kind) {
    case Kind::mpi_file:
      return {HandleClass::mpi_file, Use::given};
    case Kind::new_mpi_file:
      return {HandleClass::mpi_file, Use::made};
    case Kind::closed_mpi_file:
      return {HandleClass::mpi_file, Use::freed};
    case Kind::comm:
      return {HandleClass::communicator, Use::given};
    case Kind::new_comm:
      return {HandleClass::communicator, Use::made};
    case Kind::freed_comm:
      return {HandleClass::communicator, Use::freed};
    case Kind::mpi_group:
      return {HandleClass::mpi_group, Use::given};
    case Kind::new_mpi_group:
      return {HandleClass::mpi_group, Use::made};
    case Kind::freed_mpi_group:
      return {HandleClass::mpi_group, Use::freed};
    case Kind::mpi_type:
      return {HandleClass::mpi_type, Use::given};
    case Kind::new_mpi_type:
      return {HandleClass::mpi_type, Use::made};
    case Kind::seen_mpi_type:
      return {HandleClass::mpi_type, Use::told};
    case Kind::committed_mpi_type:
      return {HandleClass::mpi_type, Use::behind};
    case Kind::freed_mpi_type:
      return {HandleClass::mpi_type, Use::freed};
    case Kind::mpi_info:
      return {HandleClass::info, Use::given};
    case Kind::new_mpi_info:
      return {HandleClass::info, Use::made};
    case Kind::freed_mpi_info:
      return {HandleClass::info, Use::freed};
    case Kind::errhandler:
      return {HandleClass::errhandler, Use::given};
    case Kind::new_errhandler:
      return {HandleClass::errhandler, Use::made};
    case Kind::freed_errhandler:
      return {HandleClass::errhandler, Use::freed};
    case Kind::new_mpi_op:
      return {HandleClass::mpi_op, Use::made};
    case Kind::freed_mpi_op:
      return {HandleClass::mpi_op, Use::freed};
    case Kind::new_request:
      return {HandleClass::request, Use::made};
    default:
      return {};
  }
}

/// The same as a table: it is asked several times per call.
inline constexpr auto meanings = [] {
  std::array<Meaning, 256> table{};
  for (size_t kind = 0; kind < table.size(); ++kind) table[kind] = spell_meaning(static_cast<Kind>(kind));
  return table;
}();
inline const Meaning& meaning_of(Kind kind) { return meanings[static_cast<size_t>(kind)]; }

inline size_t length_of(int64_t number) { return number < 0 ? 0 : static_cast<size_t>(number); }

}  // namespace refrain::record
