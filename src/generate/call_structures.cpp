// Arguments of MPI and HDF5 that are more than a number or a handle: values of a type, structures, functions
// of the application, for which the runtime has stand-ins.
#include <utility>

#include "api/names.hpp"
#include "generate/call_arguments.hpp"
#include "generate/refusal.hpp"

namespace refrain::generate {

using plan::GivenArgument;
using trace::OperandKind;

namespace {

/// Stand-ins for functions of the application that are passed to HDF5, by their type; see runtime/.
constexpr std::pair<std::string_view, std::string_view> stand_ins[] = {
    {"H5E_auto1_t", "(H5E_auto1_t)H5Eprint1"},
    {"H5E_auto2_t", "(H5E_auto2_t)H5Eprint2"},
    {"H5T_conv_t", "h5_keep"},
    {"H5Z_filter_func_t", "h5_pass"},
    {"H5D_gather_func_t", "h5_gather"},
    {"H5D_scatter_func_t", "h5_scatter"},
    {"H5I_free_t", "(H5I_free_t)(void (*)(void))h5_release"},
    {"H5L_elink_traverse_t", "h5_traverse"},
    {"H5T_conv_except_func_t", "h5_exception"},
    {"H5MM_allocate_t", "h5_allocate"},
    {"H5MM_free_t", "h5_free"},
    {"H5D_append_cb_t", "h5_appended"},
    {"H5F_flush_cb_t", "h5_flushed"},
    {"H5O_mcdt_search_cb_t", "h5_searched"},
    {"H5P_prp_create_func_t", "h5_property"},
    {"H5P_prp_copy_func_t", "h5_property"},
    {"H5P_prp_close_func_t", "h5_property"},
    {"H5P_prp_set_func_t", "h5_value_change"},
    {"H5P_prp_get_func_t", "h5_value_change"},
    {"H5P_prp_delete_func_t", "h5_value_change"},
    {"H5P_prp_compare_func_t", "h5_compare"},
    {"H5P_cls_create_func_t", "h5_class"},
    {"H5P_cls_close_func_t", "h5_class"},
    {"H5P_cls_copy_func_t", "h5_class_copy"},
};

}  // namespace

/// Memory that an earlier call of HDF5 has filled, or that a later one will read.
std::string CallArguments::memory(const GivenArgument& g) {
  const Operand& o = operand(g);
  bool fills = api::facts_of(g.argument->kind).fills;
  if (o.kind == OperandKind::name) return "NULL";
  if (o.kind != OperandKind::slot) {
    if (fills || !signature_.error.empty())
      return "scratch(" + (size_of_buffer(g).empty() ? "64" : size_of_buffer(g)) + ")";
    throw Refusal{
        "takes a reference, an encoded object or a link's value that no recorded call of its thread made"};
  }
  if (o.text != plan::memory_class(signature_)) throw Refusal{"memory of another sort than it takes"};
  bool is_buffer = handle_type(o.text) == "struct buffer";
  if (o.thread != Operand::own_thread) throw Refusal{"takes what another thread has in its memory"};
  std::string place = slot(o, g.parameter);
  if (!is_buffer) return "&" + place;
  if (!fills) return place + ".at";
  bool encodes = !plan_.row->is(api::Trait::keeps_link);
  bool takes_access = plan_.row->arguments.size() == 4;  // since 1.12
  std::string bytes = encodes ? "h5_encoded_bytes" + std::string(takes_access ? "2(" : "(") +
                                    signature_.function + ", " + text(plan_.arguments.front()) + ")"
                              : size_of_buffer(g);
  return "room(&" + place + ", " + bytes + ", 0)";
}

/// The size of memory for an encoded object; sufficient if it was in the recorded call.
std::string CallArguments::room(const GivenArgument& g) const {
  if (operand(g).kind == OperandKind::name) return "NULL";
  bool enough = operand(plan_.named("buf")).kind == OperandKind::slot;
  return address_of("size_t", enough ? "INT_MAX" : "0");
}

/// A single value of an HDF5 type, as many bytes as the type has.
std::string CallArguments::typed_value(const GivenArgument& g) {
  const Operand& o = operand(g);
  const GivenArgument& type = plan::type_of(plan_, g);
  if (o.kind == OperandKind::integer)
    return "h5_whole(" + library_handle(type) + ", " + parameter(g.parameter).text + ")";
  if (o.kind == OperandKind::sized_data) return "out(" + parameter(g.parameter).text + ")";
  if (o.text == "NULL") return "NULL";
  if (o.text == "data") return "out(0)";
  auto bits = api::value_of(Kind::h5_real, o.text);
  if (!bits) throw Refusal{"a value that can't be read"};
  return "h5_real(" + library_handle(type) + ", strtod(\"" + o.text + "\", NULL))";
}

std::string CallArguments::function(const GivenArgument& g) const {
  if (operand(g).text == "NULL") return "NULL";
  for (const auto& [type, stand_in] : stand_ins)
    if (type == g.argument->type) return std::string(stand_in);
  throw Refusal{"calls a function of the application"};
}

/// Data for a dataset or an attribute: the recorded value, or the usual pattern, with the recorded sequences,
/// strings and references.
std::string CallArguments::written_elements(const GivenArgument& g) {
  if (operand(g).kind == OperandKind::name && operand(g).text == "NULL") return "NULL";
  bool is_attribute = g.argument->kind == Kind::h5_attribute_in;
  std::string bytes = text("bytes"), type = text(is_attribute ? "type_id" : "mem_type_id");
  std::string space = is_attribute ? "H5S_ALL" : text("mem_space_id");
  std::string data =
      "h5_out(" + bytes + ", " + (is_attribute ? "-1" : text("dset_id")) + ", " + type + ", " + space + ")";
  if (g.count == 1) return data;
  GivenArgument value = g;
  value.first += 1;
  value.count = 1;
  value.parameter += operand(g).parameters();
  if (operand(value).kind == OperandKind::text) return "kept(" + bytes + ", " + string_of(value) + ")";
  std::string references = c_.slots.takes_references(c_.trace) ? c_.slots.array("reference", c_.thread) : "";
  return "h5_filled(" + data + ", " + text(is_attribute ? "attr_id" : "dset_id") + ", " + type + ", " +
         (is_attribute ? "-1, -1" : space + ", " + text("file_space_id")) + ", " + list(value, "long long") +
         ", " + elements(value) + ", " +
         (references.empty() ? "NULL, 0" : references + ", sizeof " + references + "/sizeof *" + references) +
         ")";
}

/// The operands are integers, then real numbers, then the name of a debugging file, which is left out.
std::string CallArguments::cache_config(const GivenArgument& g) {
  const Operand& whole = operand(g);
  if (whole.kind == OperandKind::name && whole.text == "NULL") return "NULL";
  constexpr size_t whole_numbers = 21, real_numbers = 8;
  if (whole.kind != OperandKind::list || whole.width != whole_numbers || g.count != 2 + real_numbers)
    throw Refusal{"takes a configuration of another shape"};
  std::string reals;
  for (size_t k = 1; k <= real_numbers; ++k) {
    if (!api::value_of(Kind::h5_real, operand(g, k).text)) throw Refusal{"a value that can't be read"};
    reals += (k == 1 ? "" : ", ") + operand(g, k).text;
  }
  return "h5_cache(" + list(g, "long long") + ", (double[]){" + reals + "})";
}

std::string CallArguments::library_argument(const GivenArgument& g) {
  switch (g.form) {
    case Form::made_id:
      if (operand(g).text == "NULL") return "NULL";
      [[fallthrough]];
    case Form::output_type:
      if (operand(g).kind == OperandKind::slot) return "&" + slot(operand(g), g.parameter);
      return "scratch(sizeof(" + pointee(g.argument->type) + "))";
    case Form::output_text:
      return "scratch(4096)";
    case Form::output:
      return operand(g).kind == OperandKind::name ? "NULL" : "scratch(1 << 16)";
    case Form::bytes:
      return bytes(g);
    case Form::variable_data:
      return variable_data(g);
    case Form::several_data:
      return several_data(g);
    case Form::string_data:
      return string_data(g);
    case Form::number_rows:
      return number_rows(g);
    case Form::output_done:
      return "&request_done";
    case Form::status:
      return plan::tells_bytes_read(*plan_.row) ? "&read_status" : "MPI_STATUS_IGNORE";
    case Form::int_list:
    case Form::wide_list:
      return list(g, pointee(g.argument->type));
    case Form::range_list:
      return ranges(g);
    case Form::handle_list:
    case Form::name_list:
    case Form::request_list:
      return handle_list(g);
    case Form::memory:
      return memory(g);
    case Form::room:
      return room(g);
    case Form::value:
      return typed_value(g);
    case Form::function:
      return function(g);
    case Form::elements:
      if (!api::facts_of(g.argument->kind).fills) return written_elements(g);
      break;
    case Form::driver_members:
      return members(g);
    case Form::cache_config:
      return cache_config(g);
    case Form::filter:
      if (!api::value_of(Kind::h5_filter, operand(g).text)) throw Refusal{"a filter without a number"};
      return "h5_filter(" + operand(g).text + ")";
    case Form::link_class:
      if (!api::value_of(Kind::h5_link_type, operand(g).text))
        throw Refusal{"a class of links without a number"};
      return "h5_links(" + operand(g).text + ")";
    default:
      break;
  }
  throw Refusal{"takes a structure that the trace doesn't hold whole"};
}

}  // namespace refrain::generate
