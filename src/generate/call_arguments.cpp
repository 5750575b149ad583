#include "generate/call_arguments.hpp"

#include <cstdlib>

#include "api/names.hpp"
#include "api/predefined.hpp"
#include "generate/c_text.hpp"
#include "generate/refusal.hpp"

namespace refrain::generate {
namespace {

using plan::GivenArgument;
using trace::OperandKind;

/// Sizes of at least this get a name at the top of the program.
constexpr int64_t smallest_named_size = 256;

bool is_bytes(std::string_view type) {
  std::string of = pointee(type);
  return of == "void" || of == "char";
}

}  // namespace

std::string pointee(std::string_view type) {
  while (!type.empty() && (type.back() == '*' || type.back() == ' ')) type.remove_suffix(1);
  if (type.starts_with("const ")) type.remove_prefix(6);
  return std::string(type);
}

std::string narrowed(const Expression& e, std::string_view type) {
  bool narrow = type == "int" || type == "unsigned" || type == "unsigned int" || type == "hbool_t";
  if (!narrow || !e.is_constant() || e.range.within(INT32_MIN, INT32_MAX)) return e.text;
  return "(" + std::string(type) + ")" + e.at_least(Binding::unary);
}

std::string address_of(const std::string& type, const std::string& value) {
  return "&(" + type + "){" + value + "}";
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
  if (name != "bytes") {
    std::string argument = text(plan_.named(name));
    return argument.empty() ? "0" : argument;  // flags that were left out
  }
  for (const GivenArgument& g : plan_.arguments)
    if (g.count > 0 && operand(g).kind == OperandKind::sized_data) return parameter(g.parameter).text;
  return "0";
}

const GivenArgument* CallArguments::awaited_handle() const {
  return plan::awaited_handle(plan_, c_.awaited, place_.node->signature);
}

std::string CallArguments::brought(bool in_data) {
  std::string bytes = text(in_data ? "bytes" : "result");
  if (bytes.find_first_not_of("0123456789") != std::string::npos || bytes.size() > 18) return bytes;
  std::string name = c_.sizes.known(std::stoll(bytes));
  return name.empty() ? bytes : name;
}

/// Flags and enumerators have the same text in the trace as in C, provided that they are valid.
std::string CallArguments::word(const GivenArgument& g) const {
  const Operand& o = operand(g);
  Kind kind = g.argument->kind;
  if (o.kind != OperandKind::name) throw Refusal{"a flag that is no name"};
  auto value = api::value_of(kind, o.text);
  if (!value || o.text.empty()) throw Refusal{"the unknown name " + comment_text(o.text)};
  if (api::facts_of(kind).spelling == api::Spelling::real) {
    bool plain = o.text.find_first_not_of("0123456789+-.e") == std::string::npos;
    return plain ? o.text : "strtod(\"" + o.text + "\", NULL)";
  }
  if (plan::sends_signals(signature_, g)) return "no_signals()";
  if (kind == Kind::h5_bool) return std::to_string(*value);
  return o.text;
}

std::string CallArguments::system_handle(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::slot) {
    bool by_address = api::facts_of(g.argument->kind).handle == api::HandleClass::aio;
    return (by_address ? "&" : "") + slot(o, g.parameter);
  }
  if (o.kind == OperandKind::integer && g.argument->kind == Kind::uring_file)
    return "REGISTERED(" + parameter(g.parameter).text + ")";
  if (o.text == "NULL" || o.text == "AT_FDCWD") return o.text;
  if (plan::changes_attributes(signature_)) return "no_file()";
  if (g.argument->type == "int") return "other_fd()";
  throw Refusal{"uses something that is no file"};
}

std::string CallArguments::library_handle(const GivenArgument& g) {
  const Operand& o = operand(g);
  std::string type = pointee(g.argument->type);
  if (o.kind == OperandKind::slot) {
    bool of_class = api::facts_of(api::facts_of(g.argument->kind).handle).name == o.text;
    if (!of_class && handle_type(o.text) != type && handle_type(o.text) != type + " *")
      throw Refusal{"a handle of another class than it takes"};
    return slot(o, g.parameter);
  }
  if (o.kind != OperandKind::name) throw Refusal{"a handle that is none"};
  if (api::predefined_type(o.text) == type) return o.text;
  if (o.text == "0") return "0";
  if (type == "int" && o.text == "invalid") return "-1";
  if (type == "hid_t" && o.text == "invalid")
    return plan::takes_closed_list(signature_) ? "h5_closed_list()" : "1";
  if (o.text == "H5F_OBJ_ALL") return "(hid_t)H5F_OBJ_ALL";
  if (o.text == "NULL") return "NULL";
  if (o.text == "foreign") throw Refusal{"uses a communicator with processes that the trace doesn't hold"};
  throw Refusal{"uses an object that it did not make (" + comment_text(o.text) + ")"};
}

std::string CallArguments::behind(const GivenArgument& g) {
  std::string handle = library_handle(g);
  // Error handlers are counted: what was asked for twice is freed twice, through copies.
  const api::HandleFacts& facts = api::facts_of(api::facts_of(g.argument->kind).handle);
  if (facts.is_carrier && operand(g).kind != OperandKind::slot)
    throw Refusal{"uses a ring that it did not make"};
  if (facts.counts_references) return address_of(std::string(facts.type), handle);
  return operand(g).kind == OperandKind::slot ? "&" + handle : address_of(pointee(g.argument->type), handle);
}

std::string CallArguments::made_behind(const GivenArgument& g) {
  if (signature_.result.kind == OperandKind::slot) return "&" + made();
  if (plan::leaves_out_result(signature_)) return "NULL";
  return "scratch(sizeof(" + pointee(g.argument->type) + "))";
}

std::string CallArguments::number(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::name) {
    if (o.text == "H5S_UNLIMITED" || o.text == "H5T_VARIABLE") return o.text;
    if (api::value_of(g.argument->kind, o.text)) return o.text;
    throw Refusal{"a number that is none"};
  }
  if (o.kind != OperandKind::integer) throw Refusal{"a number that is none"};
  Expression e = parameter(g.parameter);
  bool named = g.argument->kind == Kind::size && !layer().has_objects && e.is_constant() &&
               e.range.within(smallest_named_size, INT32_MAX);
  return named ? c_.sizes.name(e.range.low) : narrowed(e, g.argument->type);
}

/// The size argument nearest to a buffer, which gives the size of the buffer; empty if there is none.
std::string CallArguments::size_of_buffer(const GivenArgument& g) {
  const GivenArgument* nearest = nullptr;
  for (const GivenArgument& other : plan_.arguments) {
    if (!api::facts_of(other.argument->kind).is_size) continue;
    bool closer = nearest == nullptr || std::abs(&other - &g) < std::abs(nearest - &g);
    if (closer) nearest = &other;
  }
  return nearest == nullptr ? "" : number(*nearest);
}

std::string CallArguments::buffer(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::name) return "NULL";
  if (signature_.error == "EFAULT") return "(void *)unreadable";
  const api::KindFacts& facts = api::facts_of(g.argument->kind);
  bool in = !facts.fills;
  std::string_view type = g.argument->type;
  if (layer().has_typed_buffers) {
    if (!facts.counts_bytes) return in ? "out(0)" : "in(0)";
    return std::string(in ? "mpi_out(" : "mpi_in(") + text("count") + ", " + text("datatype") + ")";
  }
  std::string size = size_of_buffer(g);
  if (size == "28" && plan::sets_access_list(signature_)) return "plain_access_list";
  if (is_bytes(type)) return std::string(in ? "out(" : "in(") + (size.empty() ? "0" : size) + ")";
  if (in) return "NULL";  // a time: now
  std::string bytes = "sizeof(" + pointee(type) + ")";
  return "scratch(" + bytes + (size.empty() ? "" : "*64*(" + size + ")") + ")";
}

/// An argument that isn't recorded because it follows from others or has no effect.
std::string CallArguments::implied(const GivenArgument& g) {
  std::string_view type = g.argument->type, name = g.argument->name;
  if (type == "MPI_Status*") return name == "statuses" ? "MPI_STATUSES_IGNORE" : "MPI_STATUS_IGNORE";
  if (name == "vector_length")
    return operand(*(&g - 1)).kind == OperandKind::name ? "1" : elements(*(&g - 1));
  if (name == "count" && type == "int") return elements(*(&g - 1));
  if (name == "character") return "'x'";
  if (type == "int*") return "scratch(sizeof(int))";
  if (type == "void**") return "scratch(sizeof(void *))";
  if (type.ends_with('*')) return "NULL";
  if (type == "int") return "0";
  throw Refusal{"an argument that the trace doesn't hold"};
}

std::string CallArguments::fcntl_argument(const GivenArgument& g) {
  bool of_ioctl = g.argument->kind == Kind::ioctl_argument;
  if (g.count == 0) return of_ioctl ? "scratch(4096)" : "";
  const Operand& o = operand(g);
  if (of_ioctl) return o.kind == OperandKind::slot ? slot(o, g.parameter) : "other_fd()";
  if (o.kind == OperandKind::list && o.width == 4) {
    std::string lock = "&(struct flock){";
    const char* members[] = {".l_type = (short)", ", .l_whence = (short)", ", .l_start = ", ", .l_len = "};
    for (size_t k = 0; k < 4; ++k) lock += members[k] + parameter(g.parameter + k).at_least(Binding::unary);
    return lock + "}";
  }
  if (o.kind == OperandKind::integer) return parameter(g.parameter).text;
  if (o.kind == OperandKind::data) return "scratch(4096)";
  if (o.text == "NULL") return "NULL";
  if (o.text == "unreadable") return o.text;
  if (!api::value_of(Kind::open_flags, o.text)) throw Refusal{"the unknown name " + comment_text(o.text)};
  std::string flags = o.text;
  if (size_t at = flags.find("O_LARGEFILE"); at != std::string::npos) flags.replace(at, 11, "LARGE_FILE");
  return flags;
}

std::string CallArguments::text(const GivenArgument& g) {
  switch (g.form) {
    case Form::name:
      return g.count == 0 ? "" : word(g);
    case Form::number:
      return number(g);
    case Form::number_behind:
      if (operand(g).kind == OperandKind::name) return "NULL";
      if (signature_.error == "EFAULT") return "(void *)unreadable";
      return address_of(pointee(g.argument->type), parameter(g.parameter).text);
    case Form::text:
      if (signature_.error == "EFAULT" && operand(g).text == "unreadable") return operand(g).text;
      return operand(g).text == "NULL" ? "NULL" : c_string(operand(g).text);
    case Form::string:
      return string_of(g);
    case Form::path:
      return path(g);
    case Form::later_path:
      return operand(g).kind == OperandKind::name
                 ? string_of(g)
                 : (g.argument->name == "prefix" ? "later_below(" : "later(") +
                       string_of(g, Strings::Spelling::later) + ")";
    case Form::extension:
      return operand(g).kind == OperandKind::name ? string_of(g) : "extension(" + string_of(g) + ")";
    case Form::system_handle:
      return system_handle(g);
    case Form::library_handle:
      return library_handle(g);
    case Form::handle_behind:
      return behind(g);
    case Form::made_behind:
      return made_behind(g);
    case Form::mapped:
      if (operand(g).kind != OperandKind::slot) throw Refusal{"an address that is none"};
      return "within(" + slot(operand(g), g.parameter) + ", " + parameter(g.parameter + 1).text + ", " +
             text("length") + (plan_.row->is(api::Trait::unmaps_file) ? ", 1)" : ", 0)");
    case Form::buffer:
      return buffer(g);
    case Form::vector:
      if (operand(g).kind == OperandKind::name) return "(struct iovec *)unreadable";
      return (api::facts_of(g.argument->kind).fills ? "iov_in(" : "iov_out(") + elements(g) + ", " +
             list(g, "long long") + ")";
    case Form::lock_or_number:
      return fcntl_argument(g);
    case Form::implied:
      return implied(g);
    case Form::list_length:
      return list_length(g);
    case Form::aio_list:
    case Form::started_list:
      return aio_list(g);
    case Form::fd_list:
      return descriptor_list(g) + ", " + elements(g);
    default:
      return library_argument(g);
  }
}

}  // namespace refrain::generate
