// Lists among the arguments of a call, put into its description: numbers, names, datatypes of MPI.
#pragma once

#include <string>
#include <vector>

#include "record/mpi_handles.hpp"
#include "record/visit.hpp"
#include "trace/long_list.hpp"
#include "trace/name_list.hpp"

namespace refrain::record {

/// Longer lists are not kept: memory in the application is bounded.
constexpr size_t longest_kept_list = trace::longest_list;

template <class V, class T>
void put_list(V& v, Role role, const T* values, size_t length) {
  if (values == nullptr && length > 0) return v.fixed("NULL");
  if (length > longest_kept_list) return v.fixed("too long");
  int64_t few[trace::Operand::max_width];
  if (length <= trace::Operand::max_width) {
    for (size_t k = 0; k < length; ++k) few[k] = static_cast<int64_t>(values[k]);
    return v.list(role, few, length);
  }
  std::vector<int64_t> many(values, values + length);
  v.list(role, many.data(), length);
}

/// Part of the signature if it is short; as a template otherwise.
template <class V>
void put_names(V& v, const std::string& text) {
  static_assert(trace::NameList::longest_word == KeyVisitor::longest_word);
  if (text.size() < trace::NameList::longest_word)
    v.word(text.c_str());
  else
    v.text(text.c_str());
}

/// Two operands: `[MPI_INT, 2 x mpitype]` names the predefined ones and says where the others stand, whose
/// slots follow.
template <class V, class TypeAt>
void put_types(V& v, Lane& lane, size_t length, TypeAt type_at) {
  constexpr HandleClass c = HandleClass::mpi_type;
  trace::NameList names;
  std::vector<int64_t> slots;
  for (size_t k = 0; k < length; ++k) {
    MpiHandle found = look_at_mpi(lane, c, type_at(k));
    std::string name(found.name != nullptr ? found.name : api::facts_of(c).name);
    if (found.name == nullptr) {
      if (found.handle.lane() != lane.number()) name += "@" + std::to_string(found.handle.lane());
      slots.push_back(found.handle.slot());
    }
    names.add(name);
  }
  put_names(v, names.finish());
  put_list(v, Role::plain, slots.data(), slots.size());
}

/// A handle of MPI.
template <class V>
[[gnu::always_inline]] inline void show(V& v, const MpiHandle& h) {
  if (h.name != nullptr)
    v.fixed(h.name);
  else if (h.handle.tracked())
    v.slot(h.handle);
  else
    v.fixed(h.ignored() ? "foreign" : "other");
}

}  // namespace refrain::record
