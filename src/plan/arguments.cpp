#include "plan/arguments.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/check.hpp"

namespace refrain::plan {
namespace {

using api::Kind;
using trace::OperandKind;
using trace::Signature;

/// Drivers of HDF5 tell so many kinds of memory apart.
constexpr size_t driver_members = 7;

bool is_name(const Signature& s, size_t at, std::string_view text) {
  return at < s.operands.size() && s.operands[at].kind == OperandKind::name && s.operands[at].text == text;
}

/// Numbers, real numbers, and last the name of a file.
size_t cache_config_operands(const Signature& s, size_t at) {
  size_t end = at;
  while (end < s.operands.size() && s.operands[end].kind != OperandKind::text) ++end;
  return end + 1 - at;
}

/// How many operands describe an argument; `at` is where they begin.
size_t operands_of(const Signature& s, Kind kind, size_t at) {
  if (form_of(kind) == ArgumentForm::made_behind) return 0;
  bool null = is_name(s, at, "NULL");
  switch (kind) {
    case Kind::implied:
    case Kind::io_status:
    case Kind::out_flag:
    case Kind::seen_object:
    case Kind::list_size:
      return 0;
    case Kind::mode:
    case Kind::fcntl_argument:
    case Kind::ioctl_argument:
      return at < s.operands.size() ? 1 : 0;
    case Kind::mapped:
    case Kind::mpi_types:
      return 2;
    case Kind::new_aio_list:
      return 5;
    case Kind::h5_attribute_in:  // with its value, if that was asked for, or with what it holds
    case Kind::h5_data_in:       // with what it holds; both come last
      return at + 1 < s.operands.size() ? 2 : 1;
    case Kind::h5_cache_config:
      return null ? 1 : cache_config_operands(s, at);
    case Kind::h5_multi_names:
    case Kind::h5_multi_plists:
      return null ? 1 : driver_members;
    case Kind::new_h5_multi:
      return null || is_name(s, at, "data") ? 1 : driver_members;
    default:
      return 1;
  }
}

std::map<std::pair<std::string_view, std::string_view>, const api::Row*> index_rows() {
  std::map<std::pair<std::string_view, std::string_view>, const api::Row*> rows;
  for (const api::Row& row : api::rows()) rows[{row.layer, row.name}] = &row;
  return rows;
}

}  // namespace

bool follows_link(const Signature& s, const Given& path) {
  constexpr std::string_view about_links[] = {
      "lstat",    "lchown",   "lutimes",   "lgetxattr", "lsetxattr", "llistxattr", "lremovexattr", "readlink",
      "unlink",   "unlinkat", "remove",    "rename",    "renameat",  "renameat2",  "link",         "mkdir",
      "mkdirat",  "rmdir",    "mknod",     "mkfifo",    "symlink",   "symlinkat",  "readlinkat",   "mkstemp",
      "mkostemp", "mkstemps", "mkostemps", "mkdtemp",   "mktemp"};
  if (std::find(std::begin(about_links), std::end(about_links), s.function) != std::end(about_links))
    return false;
  auto has_flag = [&](std::string_view flag) {
    return std::any_of(s.operands.begin(), s.operands.end(), [&](const trace::Operand& o) {
      return o.kind == OperandKind::name && o.text.find(flag) != std::string::npos;
    });
  };
  if (s.function == "linkat") return path.argument->name == "from" && has_flag("AT_SYMLINK_FOLLOW");
  return !has_flag("AT_SYMLINK_NOFOLLOW") && !has_flag("O_NOFOLLOW") && !has_flag("O_EXCL");
}

const Given* folder_of(const Signature& s, const CallPlan& plan, const Given& path) {
  if (&path == plan.arguments.data()) return nullptr;
  const Given* before = &path - 1;
  bool given = before->argument->kind == Kind::dirfd && s.operands[before->first].kind == OperandKind::slot;
  return given ? before : nullptr;
}

bool is_link_target(const CallPlan& plan, const Given& path) {
  return plan.row->name.starts_with("symlink") && path.argument->name == "target";
}

bool is_destination(const CallPlan& plan, const Given& path) {
  return path.argument->name == "to" &&
         (plan.row->name.starts_with("rename") || plan.row->name.starts_with("link"));
}

bool changes_attributes(const Signature& s) {
  constexpr std::string_view functions[] = {"fchmod",       "fchown",    "futimes",  "futimens", "fsetxattr",
                                            "fremovexattr", "utimensat", "fchmodat", "fchownat", "futimesat"};
  return std::find(std::begin(functions), std::end(functions), s.function) != std::end(functions);
}

bool takes_closed_list(const Signature& s) {
  return s.error == "H5E_BADATOM" && s.function.starts_with("H5P");
}

bool sends_signals(const Signature& s, const Given& command) {
  return command.argument->kind == Kind::fcntl_op && s.operands[command.first].text.starts_with("F_SETOWN");
}

bool closes(Kind kind) {
  switch (kind) {
    case Kind::closed_fd:
    case Kind::closed_stream:
    case Kind::closed_dir:
    case Kind::closed_aio:
    case Kind::closed_mpi_file:
    case Kind::freed_comm:
    case Kind::freed_mpi_group:
    case Kind::freed_mpi_type:
    case Kind::freed_mpi_info:
    case Kind::freed_errhandler:
    case Kind::freed_mpi_op:
    case Kind::freed_request:
    case Kind::h5_closed:
    case Kind::h5_closed_vfd:
      return true;
    default:
      return false;
  }
}

const api::Row* find_row(std::string_view layer, std::string_view function) {
  static const auto rows = index_rows();
  auto found = rows.find({layer, function});
  return found == rows.end() ? nullptr : found->second;
}

const Given& CallPlan::named(std::string_view name) const {
  for (const Given& given : arguments)
    if (given.argument->name == name) return given;
  REFRAIN_CHECK(false);
  return arguments.front();
}

bool sets_access_list(const Signature& signature) {
  if (!signature.function.ends_with("setxattr")) return false;
  for (const trace::Operand& o : signature.operands)
    if (o.kind == OperandKind::name && o.text.starts_with("system.posix_acl_")) return true;
  return false;
}

bool tells_bytes_read(const api::Row& row) {
  auto has = [&](Kind kind) {
    return std::any_of(row.arguments.begin(), row.arguments.end(),
                       [&](const api::Argument& a) { return a.kind == kind; });
  };
  return has(Kind::moved_out) && has(Kind::io_status);
}

std::string_view memory_class(const Signature& signature) {
  std::string_view function = signature.function;
  if (function.starts_with("H5T")) return "encodedtype";
  if (function.starts_with("H5S")) return "encodedspace";
  if (function.starts_with("H5P")) return "encodedlist";
  if (function.starts_with("H5L")) return "linkvalue";
  for (const trace::Operand& o : signature.operands)
    if (o.kind == OperandKind::name && o.text == "H5R_DATASET_REGION") return "region";
  return "reference";
}

Result<CallPlan> plan_call(const Signature& signature) {
  CallPlan plan;
  plan.row = find_row(signature.layer, signature.function);
  if (plan.row == nullptr) return fail(ErrorKind::limit, "the function is not known");
  size_t at = 0, parameter = 0;
  for (const api::Argument& argument : plan.row->arguments) {
    Given given{&argument, at, operands_of(signature, argument.kind, at), parameter, form_of(argument.kind)};
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
