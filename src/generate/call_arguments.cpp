#include "generate/call_arguments.hpp"

#include <algorithm>
#include <charconv>

#include "api/names.hpp"
#include "api/predefined.hpp"
#include "generate/c_text.hpp"
#include "generate/refusal.hpp"

namespace refrain::generate {
namespace {

using api::Kind;
using plan::Given;
using trace::OperandKind;
using trace::Role;

/// `const struct stat*` -> `struct stat`
std::string pointee(std::string_view type) {
  while (!type.empty() && (type.back() == '*' || type.back() == ' ')) type.remove_suffix(1);
  if (type.starts_with("const ")) type.remove_prefix(6);
  return std::string(type);
}

bool is_bytes(std::string_view type) {
  std::string of = pointee(type);
  return of == "void" || of == "char";
}

/// A constant that doesn't fit the type of its parameter, said plainly.
std::string narrowed(const Expression& e, std::string_view type) {
  bool narrow = type == "int" || type == "unsigned" || type == "unsigned int" || type == "hbool_t";
  if (!narrow || !e.is_constant() || e.range.within(INT32_MIN, INT32_MAX)) return e.text;
  return "(" + std::string(type) + ")" + e.at_least(Binding::unary);
}

bool is_list(const trace::Operand& o) {
  return o.kind == OperandKind::list || o.kind == OperandKind::long_list;
}

/// What stands for functions of the application that HDF5 is given, by their type; see runtime/.
constexpr std::pair<std::string_view, std::string_view> stand_ins[] = {
    {"H5E_auto1_t", "(H5E_auto1_t)H5Eprint1"},
    {"H5E_auto2_t", "(H5E_auto2_t)H5Eprint2"},
    {"H5T_conv_t", "h5_keep"},
    {"H5Z_filter_func_t", "h5_pass"},
    {"H5D_gather_func_t", "h5_gather"},
    {"H5D_scatter_func_t", "h5_scatter"},
    {"H5I_free_t", "h5_release"},
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

/// Numbers that the library asks for by address become anonymous variables.
std::string address_of(const std::string& type, const std::string& value) {
  return "&(" + type + "){" + value + "}";
}

}  // namespace

std::vector<std::string> bracketed_names(std::string_view text) {
  std::vector<std::string> out;
  if (!text.starts_with('[') || !text.ends_with(']')) throw Refusal{"a list of names that can't be read"};
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    size_t comma = std::min(text.find(", "), text.size());
    std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 2, text.size()));
    size_t repeats = 1;
    if (size_t times = item.find(" x "); times != std::string_view::npos) {
      auto [end, error] = std::from_chars(item.data(), item.data() + times, repeats);
      if (error != std::errc() || end != item.data() + times || repeats > 4096)
        throw Refusal{"a list of names that can't be read"};
      item.remove_prefix(times + 3);
    }
    if (out.size() + repeats > 1 << 16) throw Refusal{"a list of too many names"};
    out.insert(out.end(), repeats, std::string(item));
  }
  return out;
}

CallArguments::CallArguments(const CallContext& context, const Place& place)
    : c_(context), place_(place), signature_(context.trace.signatures[place.node->signature]) {
  auto plan = plan::plan_call(signature_);
  if (!plan) throw Refusal{plan.error().message};
  plan_ = std::move(*plan);
}

std::string CallArguments::slot(const Operand& o, size_t p) {
  uint32_t maker = o.thread == Operand::own_thread ? c_.thread : static_cast<uint32_t>(o.thread);
  return c_.slots.variable(o.text, maker, parameter(p));
}

std::string CallArguments::made() {
  if (signature_.result.kind != OperandKind::slot) throw Refusal{"makes something that has no name"};
  return slot(signature_.result, plan_.result_parameter);
}

std::string CallArguments::text(std::string_view name) {
  if (name == "made") return made();
  if (name == "result") {
    if (signature_.result.kind != OperandKind::integer) return "0";
    return parameter(plan_.result_parameter).text;
  }
  if (name != "bytes") return text(plan_.named(name));
  for (const Given& g : plan_.arguments)
    if (g.count > 0 && operand(g).kind == OperandKind::sized_data) return parameter(g.parameter).text;
  return "0";
}

std::string CallArguments::string_of(const Given& g, bool is_path) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::name) {
    if (o.text == "NULL") return "NULL";
    if (o.text == "unreadable") return "(char *)8";
    throw Refusal{"a string that is no string"};
  }
  if (o.kind != OperandKind::text) throw Refusal{"a string that is no string"};
  std::vector<Expression> fields;
  for (uint32_t k = 0; k < o.width; ++k) fields.push_back(parameter(g.parameter + 1 + k));
  Expression index = parameter(g.parameter);
  return is_path ? c_.strings.path(index, fields) : c_.strings.text(index, fields);
}

/// Flags and enumerators stand in the trace as they do in C, if they are what they should be.
std::string CallArguments::word(const Given& g) const {
  const Operand& o = operand(g);
  Kind kind = g.argument->kind;
  if (o.kind != OperandKind::name) throw Refusal{"a flag that is no name"};
  auto value = api::value_of(kind, o.text);
  if (!value || o.text.empty()) throw Refusal{"the unknown name " + comment_text(o.text)};
  if (kind == Kind::h5_real) {
    bool plain = o.text.find_first_not_of("0123456789+-.e") == std::string::npos;
    return plain ? o.text : "strtod(\"" + o.text + "\", NULL)";
  }
  if (kind == Kind::h5_bool) return std::to_string(*value);
  return o.text;
}

std::string CallArguments::system_handle(const Given& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::slot) {
    std::string address = g.argument->kind == Kind::new_aio || g.argument->kind == Kind::aio ||
                                  g.argument->kind == Kind::closed_aio
                              ? "&"
                              : "";
    return address + slot(o, g.parameter);
  }
  if (o.text == "NULL" || o.text == "AT_FDCWD") return o.text;
  if (g.argument->type == "int") return "other_fd()";
  throw Refusal{"uses something that is no file"};
}

std::string CallArguments::library_handle(const Given& g) {
  const Operand& o = operand(g);
  std::string type = pointee(g.argument->type);
  if (o.kind == OperandKind::slot) {
    if (handle_type(o.text) != type && handle_type(o.text) != type + " *")
      throw Refusal{"a handle of another class than it takes"};
    return slot(o, g.parameter);
  }
  if (o.kind != OperandKind::name) throw Refusal{"a handle that is none"};
  if (api::predefined_type(o.text) == type) return o.text;
  if (o.text == "0") return "0";
  if (type == "hid_t" && o.text == "invalid") {
    // Of the right kind but closed, or of no kind at all: HDF5 tells them apart.
    bool closed = signature_.error == "H5E_BADATOM" && signature_.function.starts_with("H5P");
    return closed ? "h5_closed_list()" : "1";
  }
  if (o.text == "H5F_OBJ_ALL") return "(hid_t)H5F_OBJ_ALL";
  if (o.text == "NULL") return "NULL";
  throw Refusal{"uses an object that it did not make (" + comment_text(o.text) + ")"};
}

std::string CallArguments::behind(const Given& g) {
  std::string handle = library_handle(g);
  // Error handlers are counted: what was asked for twice is freed twice, through copies.
  if (g.argument->kind == Kind::freed_errhandler) return address_of("MPI_Errhandler", handle);
  return operand(g).kind == OperandKind::slot ? "&" + handle : address_of(pointee(g.argument->type), handle);
}

std::string CallArguments::made_behind(const Given& g) {
  if (signature_.result.kind == OperandKind::slot) return "&" + made();
  return "scratch(sizeof(" + pointee(g.argument->type) + "))";
}

std::string CallArguments::number(const Given& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::name) {
    if (o.text == "H5S_UNLIMITED" || o.text == "H5T_VARIABLE") return o.text;
    throw Refusal{"a number that is none"};
  }
  if (o.kind != OperandKind::integer) throw Refusal{"a number that is none"};
  return narrowed(parameter(g.parameter), g.argument->type);
}

/// The argument of kind `size` nearest to a buffer, which says how much it must hold; empty if there is none.
std::string CallArguments::size_of_buffer(const Given& g) {
  const Given* nearest = nullptr;
  for (const Given& other : plan_.arguments) {
    Kind kind = other.argument->kind;
    if (kind != Kind::size && kind != Kind::h5_read && kind != Kind::h5_written) continue;
    bool closer = nearest == nullptr || std::abs(&other - &g) < std::abs(nearest - &g);
    if (closer) nearest = &other;
  }
  return nearest == nullptr ? "" : number(*nearest);
}

std::string CallArguments::buffer(const Given& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::name) return "NULL";
  bool in = g.argument->kind == Kind::data_in || g.argument->kind == Kind::moved_in;
  std::string_view type = g.argument->type;
  if (signature_.layer == "mpiio") {
    if (g.argument->kind == Kind::data_in || g.argument->kind == Kind::data_out)
      return in ? "out(0)" : "in(0)";
    return std::string(in ? "mpi_out(" : "mpi_in(") + text("count") + ", " + text("datatype") + ")";
  }
  std::string size = size_of_buffer(g);
  if (is_bytes(type)) return std::string(in ? "out(" : "in(") + (size.empty() ? "0" : size) + ")";
  if (in) return "NULL";  // a time: now
  std::string bytes = "sizeof(" + pointee(type) + ")";
  return "scratch(" + bytes + (size.empty() ? "" : "*64*" + size) + ")";
}

/// What isn't recorded because it follows from the rest, or doesn't matter.
std::string CallArguments::implied(const Given& g) {
  std::string_view type = g.argument->type, name = g.argument->name;
  if (type == "MPI_Status*") return name == "statuses" ? "MPI_STATUSES_IGNORE" : "MPI_STATUS_IGNORE";
  if (name == "vector_length") return elements(*(&g - 1));
  if (name == "count" && type == "int") return elements(*(&g - 1));
  if (name == "character") return "'x'";
  if (type == "int*") return "scratch(sizeof(int))";
  if (type.ends_with('*')) return "NULL";
  if (type == "int") return "0";
  throw Refusal{"an argument that the trace doesn't hold"};
}

std::string CallArguments::fcntl_argument(const Given& g) {
  if (g.count == 0) return {};
  const Operand& o = operand(g);
  if (o.kind == OperandKind::list && o.width == 4) {
    std::string lock = "&(struct flock){";
    const char* members[] = {".l_type = (short)", ", .l_whence = (short)", ", .l_start = ", ", .l_len = "};
    for (size_t k = 0; k < 4; ++k) lock += members[k] + parameter(g.parameter + k).at_least(Binding::unary);
    return lock + "}";
  }
  if (o.kind == OperandKind::integer) return parameter(g.parameter).text;
  if (o.kind == OperandKind::data) return "scratch(4096)";
  if (o.text == "NULL") return "NULL";
  if (o.text == "unreadable") return "(char *)8";
  if (!api::value_of(Kind::open_flags, o.text)) throw Refusal{"the unknown name " + comment_text(o.text)};
  return o.text;
}

/// How many elements the list of an argument has.
std::string CallArguments::elements(const Given& g, size_t k) {
  const Operand& o = operand(g, k);
  if (o.kind == OperandKind::list) return std::to_string(o.width);
  if (o.kind != OperandKind::long_list) return "0";
  Expression index = parameter(g.parameter);
  if (!index.is_constant()) throw Refusal{"a long list that differs from call to call"};
  return std::to_string(c_.trace.lists[static_cast<size_t>(index.range.low)].size());
}

std::string CallArguments::list(const Given& g, std::string_view element, size_t k) {
  const Operand& o = operand(g, k);
  if (o.kind == OperandKind::name) {
    if (o.text == "NULL" || o.text == "MPI_UNWEIGHTED" || o.text == "MPI_WEIGHTS_EMPTY") return o.text;
    throw Refusal{"a list that was too long to be kept"};
  }
  size_t first = g.parameter;
  for (size_t before = 0; before < k; ++before) first += operand(g, before).parameters();
  std::string type(element);
  if (o.kind == OperandKind::long_list) {
    Expression index = parameter(first);
    if (!index.is_constant()) throw Refusal{"a long list that differs from call to call"};
    const trace::Column& column = c_.trace.lists[static_cast<size_t>(index.range.low)];
    std::string runs = c_.tables.runs(column, "a list");
    return "list_of(" + runs + ", " + std::to_string(column.size()) + ", sizeof(" + type + "))";
  }
  if (o.kind != OperandKind::list) throw Refusal{"a list that is none"};
  std::string out = "(" + type + "[]){";
  for (uint32_t i = 0; i < o.width; ++i) {
    Expression e = parameter(first + i);
    bool unlimited = o.role == Role::extent && e.is_constant(-1);
    out += (i == 0 ? "" : ", ") + (unlimited ? std::string("H5S_UNLIMITED") : narrowed(e, type));
  }
  return out + (o.width == 0 ? "0}" : "}");
}

std::string CallArguments::ranges(const Given& g) {
  const Operand& o = operand(g);
  if (o.kind != OperandKind::list || o.width % 3 != 0) throw Refusal{"ranges that are none"};
  std::string out = "(int[][3]){";
  for (uint32_t i = 0; i < o.width; ++i)
    out += (i % 3 == 0 ? (i == 0 ? "{" : ", {") : ", ") + narrowed(parameter(g.parameter + i), "int") +
           (i % 3 == 2 ? "}" : "");
  return out + (o.width == 0 ? "{0}}" : "}");
}

/// Said by the first list that follows.
std::string CallArguments::list_length(const Given& g) {
  for (const Given* other = &g + 1; other != plan_.arguments.data() + plan_.arguments.size(); ++other) {
    Kind kind = other->argument->kind;
    if (kind == Kind::ranges) return std::to_string(operand(*other).width / 3);
    if (kind == Kind::mpi_types || kind == Kind::mpi_infos || kind == Kind::distributions)
      return std::to_string(bracketed_names(operand(*other).text).size());
    if (other->count > 0 && is_list(operand(*other))) return elements(*other);
  }
  return "0";
}

/// Lists of datatypes: predefined ones by name, then the slots of the others.
std::string CallArguments::handle_list(const Given& g) {
  Kind kind = g.argument->kind;
  std::string type = pointee(g.argument->type);
  if (kind == Kind::requests) {
    const Operand& o = operand(g);
    std::string array = c_.slots.array("request", c_.thread);
    for (uint32_t i = 0; o.kind == OperandKind::list && i < o.width; ++i) {
      Expression slot = parameter(g.parameter + i);
      if (slot.range.high >= 0)
        c_.slots.variable("request", c_.thread, {"", Binding::unary, {0, slot.range.high}});
    }
    return "pick(" + array + ", " + elements(g) + ", " + list(g, "long long") + ")";
  }
  if (operand(g).kind != OperandKind::name) throw Refusal{"a list of handles that can't be read"};
  std::string_view own = kind == Kind::mpi_types ? "mpitype" : "info";
  size_t next = g.parameter;
  std::string out = "(" + type + "[]){";
  auto names = bracketed_names(operand(g).text);
  for (const std::string& name : names) {
    out += &name == names.data() ? "" : ", ";
    if (kind == Kind::distributions) {
      if (!api::value_of(Kind::distribution, name)) throw Refusal{"the unknown name " + comment_text(name)};
      out += name;
    } else if (api::predefined_type(name) == type) {
      out += name;
    } else if (name == own && next < g.parameter + operand(g, 1).parameters()) {
      out += c_.slots.variable(own, c_.thread, parameter(next++));
    } else {
      throw Refusal{"uses an object that it did not make (" + comment_text(name) + ")"};
    }
  }
  return out + (names.empty() ? "0}" : "}");
}

/// Asynchronous requests; those that the call starts come with descriptors, operations, sizes and offsets.
std::string CallArguments::aio_list(const Given& g) {
  const Operand& o = operand(g);
  if (o.kind != OperandKind::list) throw Refusal{"takes too many requests at once"};
  for (uint32_t i = 0; i < o.width; ++i)
    if (Expression slot = parameter(g.parameter + i); slot.range.high >= 0)
      c_.slots.variable("aio", c_.thread, {"", Binding::unary, {0, slot.range.high}});
  std::string picked = c_.slots.array("aio", c_.thread) + ", " + elements(g) + ", " + list(g, "long long");
  if (g.argument->kind == Kind::aio_list) return "aio_picked(" + picked + ")";
  std::string descriptors = "(int[]){";
  for (uint32_t i = 0; i < o.width; ++i) {
    Expression slot = parameter(g.parameter + o.width + i);
    descriptors +=
        (i == 0 ? "" : ", ") + (slot.is_constant(-1) ? "-1" : c_.slots.variable("fd", c_.thread, slot));
  }
  return "aio_listed(" + picked + ", " + descriptors + "}, " + list(g, "long long", 2) + ", " +
         list(g, "long long", 3) + ", " + list(g, "long long", 4) + ")";
}

/// What a driver of HDF5 with several files takes for each of them.
std::string CallArguments::members(const Given& g) {
  if (operand(g).kind == OperandKind::name && operand(g).text == "NULL" && g.count == 1) return "NULL";
  switch (g.argument->kind) {
    case Kind::h5_multi_map:
      return list(g, "H5FD_mem_t");
    case Kind::h5_multi_offsets:
      return list(g, "haddr_t");
    default:
      break;
  }
  bool names = g.argument->kind == Kind::h5_multi_names;
  std::string out = names ? "(const char *const[]){" : "(hid_t[]){";
  plan::Given one = g;
  api::Argument handle{"hid_t", "member", Kind::h5_plist};
  one.count = 1;
  if (!names) one.argument = &handle;
  for (size_t k = 0; k < g.count; ++k, ++one.first) {
    out += (k == 0 ? "" : ", ") + (names ? string_of(one, false) : library_handle(one));
    one.parameter += operand(one).parameters();
  }
  return out + "}";
}

/// A single value of an HDF5 type, as many bytes as the type has.
std::string CallArguments::typed_value(const Given& g) {
  const Operand& o = operand(g);
  Kind kind = g.argument->kind;
  const Given& type = kind == Kind::h5_value          ? *(&g - 1)
                      : kind == Kind::h5_value_before ? *(&g + 1)
                                                      : plan_.arguments.front();
  if (o.kind == OperandKind::integer)
    return "h5_whole(" + library_handle(type) + ", " + parameter(g.parameter).text + ")";
  if (o.kind == OperandKind::sized_data) return "out(" + parameter(g.parameter).text + ")";
  if (o.text == "NULL") return "NULL";
  if (o.text == "data") return "out(0)";
  auto bits = api::value_of(Kind::h5_real, o.text);
  if (!bits) throw Refusal{"a value that can't be read"};
  return "h5_real(" + library_handle(type) + ", strtod(\"" + o.text + "\", NULL))";
}

std::string CallArguments::function(const Given& g) const {
  if (operand(g).text == "NULL") return "NULL";
  for (const auto& [type, stand_in] : stand_ins)
    if (type == g.argument->type) return std::string(stand_in);
  throw Refusal{"calls a function of the application"};
}

/// Whole numbers, then real ones, then the name of a file for debugging, which stays out.
std::string CallArguments::cache_config(const Given& g) {
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

std::string CallArguments::library_argument(const Given& g) {
  switch (g.argument->kind) {
    case Kind::int_list:
    case Kind::last_list:
    case Kind::sum_list:
    case Kind::weights:
    case Kind::sum_weights:
    case Kind::cart_list:
      return list(g, "int");
    case Kind::aint_list:
      return list(g, "MPI_Aint");
    case Kind::ranges:
      return ranges(g);
    case Kind::mpi_types:
    case Kind::mpi_infos:
    case Kind::distributions:
    case Kind::requests:
      return handle_list(g);
    case Kind::h5_sizes:
    case Kind::h5_coordinates:
    case Kind::h5_extent:
    case Kind::h5_points:
      return list(g, "hsize_t");
    case Kind::h5_offsets:
      return list(g, "hssize_t");
    case Kind::h5_words:
      return list(g, "unsigned");
    case Kind::h5_value:
    case Kind::h5_value_before:
    case Kind::h5_member_value:
      return typed_value(g);
    case Kind::h5_function:
      return function(g);
    case Kind::h5_multi_map:
    case Kind::h5_multi_plists:
    case Kind::h5_multi_names:
    case Kind::h5_multi_offsets:
      return members(g);
    case Kind::h5_cache_config:
      return cache_config(g);
    case Kind::h5_filter_class:
      if (!api::value_of(Kind::h5_filter, operand(g).text)) throw Refusal{"a filter without a number"};
      return "h5_filter(" + operand(g).text + ")";
    case Kind::h5_data_in:
    case Kind::h5_data_out:
    case Kind::h5_attribute_in:
    case Kind::h5_attribute_out:
    case Kind::h5_image_config:
    case Kind::h5_link_class:
    case Kind::new_h5_multi:
    case Kind::words:
    case Kind::word_list:
    case Kind::seen_object:
      throw Refusal{"takes a structure that the trace doesn't hold whole"};
    case Kind::new_h5_behind:
      if (operand(g).kind == OperandKind::slot) return "&" + slot(operand(g), g.parameter);
      return operand(g).text == "NULL" ? "NULL" : "scratch(sizeof(hid_t))";
    default:
      return word(g);
  }
}

std::string CallArguments::text(const Given& g) {
  if (plan::is_result(g.argument->kind)) return made_behind(g);
  switch (g.argument->kind) {
    case Kind::fd:
    case Kind::closed_fd:
    case Kind::dirfd:
    case Kind::stream:
    case Kind::closed_stream:
    case Kind::dir:
    case Kind::closed_dir:
    case Kind::aio:
    case Kind::new_aio:
    case Kind::closed_aio:
      return system_handle(g);
    case Kind::mapped:
      if (operand(g).kind != OperandKind::slot) throw Refusal{"an address that is none"};
      return slot(operand(g), g.parameter) + " + " + parameter(g.parameter + 1).at_least(Binding::product);
    case Kind::path:
    case Kind::made_path:
      return string_of(g, true);
    case Kind::string:
    case Kind::h5_name:
      return string_of(g, false);
    case Kind::text:
      return operand(g).text == "NULL" ? "NULL" : c_string(operand(g).text);
    case Kind::size:
    case Kind::offset:
    case Kind::integer:
    case Kind::target_fd:
    case Kind::h5_read:
    case Kind::h5_written:
      return number(g);
    case Kind::offset_ptr:
      if (operand(g).kind == OperandKind::name) return "NULL";
      return address_of(pointee(g.argument->type), parameter(g.parameter).text);
    case Kind::iov_in:
    case Kind::iov_out:
      if (operand(g).kind == OperandKind::name) return "(struct iovec *)8";
      return (g.argument->kind == Kind::iov_in ? "iov_out(" : "iov_in(") + elements(g) + ", " +
             list(g, "long long") + ")";
    case Kind::mode:
      return g.count == 0 ? "" : word(g);
    case Kind::fcntl_argument:
      return fcntl_argument(g);
    case Kind::data_in:
    case Kind::data_out:
    case Kind::moved_in:
    case Kind::moved_out:
      return buffer(g);
    case Kind::implied:
      return implied(g);
    case Kind::io_status:
      return "MPI_STATUS_IGNORE";
    case Kind::out_flag:
      return "&request_done";
    case Kind::out_text:
      return "scratch(4096)";
    case Kind::seen_mpi_type:
      if (operand(g).kind == OperandKind::slot) return "&" + slot(operand(g), g.parameter);
      return "scratch(sizeof(MPI_Datatype))";
    case Kind::list_size:
      return list_length(g);
    case Kind::aio_list:
    case Kind::new_aio_list:
      return aio_list(g);
    case Kind::mpi_file:
    case Kind::comm:
    case Kind::mpi_group:
    case Kind::mpi_type:
    case Kind::mpi_info:
    case Kind::errhandler:
    case Kind::request:
    case Kind::h5_id:
    case Kind::h5_closed:
    case Kind::h5_space:
    case Kind::h5_plist:
    case Kind::h5_stack:
    case Kind::h5_vfd:
    case Kind::h5_closed_vfd:
    case Kind::h5_comm:
    case Kind::h5_info:
      return library_handle(g);
    case Kind::closed_mpi_file:
    case Kind::freed_comm:
    case Kind::freed_mpi_group:
    case Kind::committed_mpi_type:
    case Kind::freed_mpi_type:
    case Kind::freed_mpi_info:
    case Kind::freed_errhandler:
    case Kind::freed_mpi_op:
    case Kind::freed_request:
    case Kind::cancelled_request:
      return behind(g);
    default:
      return library_argument(g);
  }
}

}  // namespace refrain::generate
