// Operands of calls as text that can be read again, for tables of calls (CSV, SQL). A call is two columns:
// what its operands are, and what they were:
//
//   kinds       slot:fd data int:size int:offset > int:written
//   arguments   fd0, data, 4096, 0              result   4096
//
// Kinds are separated by spaces; what stands behind `>` is the result. Lists print in brackets, strings as C
// literals. Both readers accept any text: an answer is a reason or a call that prints the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "exchange/call_walk.hpp"

namespace refrain::exchange {

std::string kinds_text(const trace::Signature& signature);

struct OperandTexts {
  std::string arguments{};
  std::string result{};
};
/// O(length): lists print in full.
OperandTexts operand_texts(const trace::Trace& trace, const Call& call);

/// One operand with its value, as an importer gives it.
struct OperandValue {
  trace::Operand operand{};  ///< width is set when the event is built
  int64_t number = 0;        ///< integer, slot, sized_data
  std::string text{};        ///< text
  std::vector<int64_t> list{};
};

/// Reads the operands of a call back; the last one is the result if `has_result` says so.
struct ReadOperands {
  std::vector<OperandValue> arguments{};
  OperandValue result{};  ///< of kind none if there is none
};
Result<ReadOperands> read_operands(std::string_view kinds, std::string_view arguments,
                                   std::string_view result);

/// The inside of a C literal with quotes around it; nothing if it isn't one.
Result<std::string> unquoted(std::string_view literal);

}  // namespace refrain::exchange
