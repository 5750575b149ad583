// Arguments of netCDF that say which parts of variables move, and where in memory they are.
#include "api/names.hpp"
#include "generate/call_arguments.hpp"
#include "generate/refusal.hpp"

namespace refrain::generate {

using plan::GivenArgument;
using trace::OperandKind;

/// The argument of this kind, or null.
const GivenArgument* CallArguments::given(Kind kind) const {
  for (const GivenArgument& g : plan_.arguments)
    if (g.argument->kind == kind) return &g;
  return nullptr;
}

/// `hex:0000c03f`
std::string CallArguments::bytes(const GivenArgument& g) const {
  const std::string& text = operand(g).text;
  if (operand(g).kind != OperandKind::name) throw Refusal{"a value that can't be read"};
  if (text == "NULL") return text;
  bool is_hex = text.starts_with("hex:") && text.size() > 4 && text.size() % 2 == 0 &&
                text.find_first_not_of("0123456789abcdef", 4) == std::string::npos;
  if (!is_hex) throw Refusal{"a value that can't be read"};
  std::string out = "\"";
  for (size_t at = 4; at < text.size(); at += 2) out += "\\x" + text.substr(at, 2);
  return out + "\"";
}

/// Elements of one variable, or an attribute's value.
std::string CallArguments::variable_data(const GivenArgument& g) {
  const Operand& o = operand(g);
  bool reads = api::facts_of(g.argument->kind).fills;
  if (o.kind == OperandKind::name) return reads ? "in(0)" : "out(0)";
  std::string how = reads ? "in(" : "out(", moved = parameter(g.parameter).text;
  if (g.count == 2) {
    GivenArgument value = g;
    value.first += 1;
    value.count = 1;
    value.parameter += o.parameters();
    return "kept(" + moved + ", " + string_of(value) + ")";
  }
  const GivenArgument *elements_given = given(Kind::nc_buffer_count), *type = given(Kind::mpi_type);
  const GivenArgument *distances = given(Kind::nc_map), *counts = given(Kind::nc_count);
  bool has_type = elements_given != nullptr && text(*(elements_given + 1)) != "MPI_DATATYPE_NULL";
  if (has_type && type != nullptr)
    return "cdf_typed_" + how + moved + ", " + text(*elements_given) + ", " + text(*(elements_given + 1)) +
           ")";
  if (!reads && pointee(g.argument->type) == "void") return like_file(g, moved);
  bool spread = distances != nullptr && operand(*distances).kind != OperandKind::name &&
                operand(*counts).kind != OperandKind::name;
  if (spread)
    return "cdf_spread_" + how + moved + ", " + elements(*counts) + ", " + text(*counts) + ", " +
           text(*distances) + ")";
  if (!reads && pointee(g.argument->type) == "char") how = "text(";
  return "cdf_" + how + moved + ")";
}

/// Elements of the variable's or attribute's own type, which may hold addresses.
std::string CallArguments::like_file(const GivenArgument& g, const std::string& moved) {
  const GivenArgument *distances = given(Kind::nc_map), *counts = given(Kind::nc_count),
                      *type = given(Kind::nc_type);
  if (g.argument->kind == Kind::nc_attribute_in) {
    auto number = api::value_of(Kind::nc_type, operand(*type).text);
    bool plain = number && *number < 12;  // NC_STRING
    return (plain ? "cdf_out(" : "cdf_zeros(") + moved + ")";
  }
  if (g.argument->kind != Kind::nc_own_in) return "cdf_out(" + moved + ")";
  std::string room = moved;
  if (distances != nullptr && operand(*distances).kind != OperandKind::name)
    room = "cdf_span(" + moved + ", " + elements(*counts) + ", " + list(*counts, "long long") + ", " +
           list(*distances, "long long") + ")";
  return "cdf_like_file(" + moved + ", " + room + ", " + text(plan_.arguments[0]) + ", " +
         text(plan_.arguments[1]) + ")";
}

/// The operands are the bytes of the pointers, then the lengths of the strings.
std::string CallArguments::string_data(const GivenArgument& g) {
  bool known = operand(g).kind == OperandKind::sized_data;
  return "cdf_strings(" + (known ? parameter(g.parameter).text : "0") + ", " + elements(g, 1) + ", " +
         list(g, "long long", 1) + ")";
}

/// Elements of several variables. The operands are the bytes of all, then the memory that each needs.
std::string CallArguments::several_data(const GivenArgument& g) {
  std::string reads = api::facts_of(g.argument->kind).fills ? "1" : "0";
  bool known = operand(g).kind == OperandKind::sized_data;
  std::string arguments = "(" + reads + ", " + (known ? parameter(g.parameter).text : "0") + ", " +
                          elements(g, 1) + ", " + list(g, "long long", 1);
  if (const GivenArgument* datasets = given(Kind::h5_datasets))
    return "h5_buffers" + arguments + ", " + std::to_string(names(*datasets).size()) + ")";
  const GivenArgument* counts = given(Kind::nc_buffer_counts);
  if (counts == nullptr || operand(*counts).kind == OperandKind::name) return "cdf_buffers" + arguments + ")";
  return "cdf_typed_buffers" + arguments + ", " + text(*counts) + ", " + text(*(counts + 1)) + ")";
}

std::string CallArguments::number_rows(const GivenArgument& g) {
  if (operand(g).kind == OperandKind::name) {
    if (operand(g).text == "NULL") return "NULL";
    throw Refusal{"a part of a variable that can't be told"};
  }
  const GivenArgument* variables = given(Kind::int_list);
  std::string which =
      variables != nullptr ? text(*variables) + ", 1" : address_of("int", text(plan_.arguments[1])) + ", 0";
  return "cdf_rows(" + text(plan_.arguments[0]) + ", " + text("number") + ", " + which + ", " +
         list(g, "MPI_Offset") + ")";
}

}  // namespace refrain::generate
