// Parameters that are references: the number of a template or of a list in the tables of the trace. Such a
// number means nothing by itself, and changes when tables are united; so nothing else may be derived from it,
// nor it from anything else.
#pragma once

#include <cstddef>

#include "trace/signature.hpp"

namespace refrain::trace {

/// Calls `use(parameter)` for each parameter of `signature` that is a reference of this kind (text or
/// long_list), or the first of a list given by laws (law_list).
template <class Use>
void for_references(const Signature& signature, OperandKind kind, Use use) {
  size_t at = 0;
  for (const Operand& operand : signature.operands) {
    if (operand.kind == kind) use(at);
    at += operand.parameters();
  }
  if (signature.result.kind == kind) use(at);
}

/// The kind of reference that a parameter is (text or long_list); none if it is a number.
inline OperandKind reference_kind(const Signature& signature, size_t parameter) {
  OperandKind found = OperandKind::none;
  for (OperandKind kind : {OperandKind::text, OperandKind::long_list})
    for_references(signature, kind, [&](size_t at) {
      if (at == parameter) found = kind;
    });
  return found;
}

}  // namespace refrain::trace
