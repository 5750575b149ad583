#include "plan/arguments.hpp"

#include <algorithm>

#include "api/hdf5/modules.hpp"
#include "base/check.hpp"

namespace refrain::plan {
namespace {

using api::Kind;
using api::Trait;
using trace::OperandKind;
using trace::Signature;

/// The number of kinds of memory that HDF5's drivers distinguish.
constexpr size_t driver_members = 7;

bool is_name(const Signature& s, size_t at, std::string_view text) {
  return at < s.operands.size() && s.operands[at].kind == OperandKind::name && s.operands[at].text == text;
}

/// Counts operands up to and including a string.
size_t operands_until_text(const Signature& s, size_t at) {
  size_t end = at;
  while (end < s.operands.size() && s.operands[end].kind != OperandKind::text) ++end;
  return end + 1 - at;
}

size_t operands_of_form(api::Form form) {
  switch (form) {
    case api::Form::implied:
    case api::Form::status:
    case api::Form::output_done:
    case api::Form::unkept:
    case api::Form::list_length:
    case api::Form::made_behind:
      return 0;
    case api::Form::mapped:
    case api::Form::handle_list:
    case api::Form::several_data:
    case api::Form::string_data:
      return 2;
    case api::Form::started_list:
      return 5;
    default:
      return 1;
  }
}

/// Whether the operand is what data holds, or its value, and not that of the next argument.
bool is_content(const trace::Operand& operand) {
  using K = OperandKind;
  return operand.kind == K::list || operand.kind == K::long_list || operand.kind == K::law_list ||
         operand.kind == K::text;
}

/// How many operands describe an argument; `at` is where they begin.
size_t operands_of(const Signature& s, Kind kind, size_t at) {
  size_t left = s.operands.size() - at;
  bool whole = is_name(s, at, "NULL") || is_name(s, at, "data");
  switch (api::facts_of(kind).operands) {
    case api::Operands::maybe:
      return left > 0 ? 1 : 0;
    case api::Operands::with_contents:
      return left > 1 && is_content(s.operands[at + 1]) ? 2 : 1;
    case api::Operands::members:
      return whole ? 1 : driver_members;
    case api::Operands::rest:
      return left;
    case api::Operands::until_text:
      return whole ? 1 : operands_until_text(s, at);
    default:
      return operands_of_form(api::form_of(kind));
  }
}

}  // namespace

bool follows_link(const Signature& s, const GivenArgument& path) {
  api::Traits traits = api::traits_of(s.function);
  if (traits.has(Trait::names_symlink)) return false;
  auto has_flag = [&](std::string_view flag) {
    return std::any_of(s.operands.begin(), s.operands.end(), [&](const trace::Operand& o) {
      return o.kind == OperandKind::name && o.text.find(flag) != std::string::npos;
    });
  };
  if (traits.has(Trait::asks_to_follow))
    return path.argument->name == "from" && has_flag("AT_SYMLINK_FOLLOW");
  return !has_flag("AT_SYMLINK_NOFOLLOW") && !has_flag("O_NOFOLLOW") && !has_flag("O_EXCL");
}

const GivenArgument& type_of(const CallPlan& plan, const GivenArgument& value) {
  api::TypedBy by = api::facts_of(value.argument->kind).typed_by;
  return by == api::TypedBy::before   ? *(&value - 1)
         : by == api::TypedBy::behind ? *(&value + 1)
                                      : plan.arguments.front();
}

const GivenArgument* folder_of(const Signature& s, const CallPlan& plan, const GivenArgument& path) {
  if (&path == plan.arguments.data()) return nullptr;
  const GivenArgument* before = &path - 1;
  bool given = before->argument->kind == Kind::dirfd && s.operands[before->first].kind == OperandKind::slot;
  return given ? before : nullptr;
}

bool is_link_target(const CallPlan& plan, const GivenArgument& path) {
  return plan.row->is(Trait::makes_symlink) && path.argument->name == "target";
}

bool is_destination(const CallPlan& plan, const GivenArgument& path) {
  return path.argument->name == "to" && plan.row->traits.has_any({Trait::renames_file, Trait::links_file});
}

bool exchanges(const Signature& s) {
  return std::any_of(s.operands.begin(), s.operands.end(), [](const trace::Operand& o) {
    return o.kind == OperandKind::name && o.text.find("RENAME_EXCHANGE") != std::string::npos;
  });
}

bool changes_attributes(const Signature& s) {
  return api::traits_of(s.function).has(Trait::changes_attributes);
}

bool takes_closed_list(const Signature& s) {
  bool bad_identifier = s.error == "H5E_BADATOM" || s.error == "H5E_BADID";  // the second since 1.14
  return bad_identifier && api::hdf5_module(s.function) == api::Hdf5Module::property;
}

bool sends_signals(const Signature& s, const GivenArgument& command) {
  return command.argument->kind == Kind::fcntl_op && s.operands[command.first].text.starts_with("F_SETOWN");
}

bool is_made_as_result(const api::Row& row) { return api::facts_of(row.result).fails != api::Fails::nonzero; }

const api::Row* find_row(std::string_view layer, std::string_view function) {
  const api::Row* row = api::find_row(function);
  return row != nullptr && row->layer == layer ? row : nullptr;
}

const GivenArgument& CallPlan::named(std::string_view name) const {
  for (const GivenArgument& given : arguments)
    if (given.argument->name == name) return given;
  REFRAIN_CHECK(false);
  return arguments.front();
}

bool sets_access_list(const Signature& signature) {
  if (!api::traits_of(signature.function).has(Trait::sets_attribute)) return false;
  for (const trace::Operand& o : signature.operands)
    if (o.kind == OperandKind::name && o.text.starts_with("system.posix_acl_")) return true;
  return false;
}

bool leaves_out_result(const Signature& signature) {
  return signature.result.kind == OperandKind::none && signature.error.empty();
}

bool tells_bytes_read(const api::Row& row) {
  auto has = [&](Kind kind) {
    return std::any_of(row.arguments.begin(), row.arguments.end(),
                       [&](const api::Argument& a) { return a.kind == kind; });
  };
  return has(Kind::moved_out) && has(Kind::io_status);
}

std::string_view memory_class(const Signature& signature) {
  bool region = std::any_of(
      signature.operands.begin(), signature.operands.end(),
      [](const trace::Operand& o) { return o.kind == OperandKind::name && o.text == "H5R_DATASET_REGION"; });
  return api::facts_of(api::memory_class(api::traits_of(signature.function), region)).name;
}

Result<CallPlan> plan_call(const Signature& signature) {
  CallPlan plan;
  plan.row = find_row(signature.layer, signature.function);
  if (plan.row == nullptr) return fail(ErrorKind::limit, "the function is not known");
  size_t at = 0, parameter = 0;
  for (const api::Argument& argument : plan.row->arguments) {
    GivenArgument given{&argument, at, operands_of(signature, argument.kind, at), parameter,
                        form_of(argument.kind)};
    if (given.count > signature.operands.size() - at)
      return fail(ErrorKind::bad_input, "has fewer arguments than its declaration");
    for (; at < given.first + given.count; ++at) parameter += signature.operands[at].parameters();
    plan.arguments.push_back(given);
  }
  if (at != signature.operands.size())
    return fail(ErrorKind::bad_input, "has more arguments than its declaration");
  plan.result_parameter = parameter;
  return plan;
}

}  // namespace refrain::plan
