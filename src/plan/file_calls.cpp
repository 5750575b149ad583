#include "plan/file_calls.hpp"

#include <algorithm>
#include <set>

namespace refrain::plan {
namespace {

using api::Kind;
using trace::OperandKind;
using trace::Signature;

/// Whether a flag, a mode or an enumerator among the operands fits.
template <class Fits>
bool any_name(const Signature& s, Fits fits) {
  return std::any_of(s.operands.begin(), s.operands.end(),
                     [&](const auto& o) { return o.kind == OperandKind::name && fits(o.text); });
}
bool has_flag(const Signature& s, const char* flag) {
  return any_name(s, [&](const std::string& text) { return text.find(flag) != std::string::npos; });
}
bool has_mode(const Signature& s, char first) {
  return s.layer == "stdio" && any_name(s, [&](const std::string& text) { return text.starts_with(first); });
}

}  // namespace

Making making(const Signature& s, size_t path_number) {
  static const std::set<std::string_view> always{"mkdir", "mkdirat", "symlink", "symlinkat",
                                                 "mknod", "mkfifo",  "creat",   "H5Fcreate"};
  if (always.count(s.function) > 0) return Making::anew;
  bool two = s.function.starts_with("rename") || s.function == "link" || s.function == "linkat";
  if (two) return path_number == 1 ? Making::anew : Making::no;
  if (has_mode(s, 'w')) return Making::anew;
  if (has_mode(s, 'a')) return Making::if_missing;
  if (!has_flag(s, "O_CREAT") && !has_flag(s, "MODE_CREATE")) return Making::no;
  bool anew = has_flag(s, "O_TRUNC") || has_flag(s, "O_EXCL") || has_flag(s, "MODE_EXCL");
  return anew ? Making::anew : Making::if_missing;
}

bool removes(const Signature& s, size_t path_number) {
  if (s.function.starts_with("rename")) return path_number == 0;
  return s.function.starts_with("unlink") || s.function == "remove" || s.function == "rmdir" ||
         s.function == "MPI_File_delete";
}

bool opens_to_read(const Signature& s) {
  return has_flag(s, "O_RDWR") || has_flag(s, "MODE_RDWR") || has_flag(s, "MODE_RDONLY") ||
         (s.layer == "stdio" && has_flag(s, "+")) || (has_flag(s, "O_CREAT") && !has_flag(s, "O_WRONLY"));
}

bool opens_to_append(const Signature& s) { return has_flag(s, "O_APPEND") || has_mode(s, 'a'); }

Contest contest(const Signature& s, size_t path_number) {
  static const std::set<std::string_view> asking{"stat",      "lstat",      "fstatat",  "statx",     "access",
                                                 "faccessat", "euidaccess", "readlink", "readlinkat"};
  if (removes(s, path_number)) return Contest::remove;
  Making made = making(s, path_number);
  bool alone = made == Making::anew && s.layer == "posix" && !has_flag(s, "O_TRUNC") &&
               s.function != "creat" && !s.function.starts_with("rename");
  if (alone || has_flag(s, "O_EXCL") || has_flag(s, "MODE_EXCL")) return Contest::make;
  bool opens = s.bracket == trace::Bracket::opens || s.function.starts_with("open");
  return made == Making::no && (opens || asking.count(s.function) > 0) ? Contest::ask : Contest::none;
}

bool shows_absence(const std::string& error) { return error == "ENOENT" || error == "MPI_ERR_NO_SUCH_FILE"; }

bool is_folder_call(const Signature& s) {
  return s.function == "opendir" || s.function == "chdir" || s.function.starts_with("mkdir") ||
         has_flag(s, "O_DIRECTORY");
}

bool shows_existence(const std::string& error) {
  return error == "EEXIST" || error == "EINVAL" || error == "ENOTEMPTY" || error == "EISDIR";
}

bool is_relative(const CallPlan& plan, const Signature& s) {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(), [&](const Given& g) {
    return g.argument->kind == Kind::dirfd && s.operands[g.first].kind == OperandKind::slot;
  });
}

bool names_file(const CallPlan& plan, const Signature& s) {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(), [&](const Given& g) {
    bool names = g.argument->kind == Kind::path || g.argument->kind == Kind::made_path;
    return names && g.count > 0 && s.operands[g.first].kind == OperandKind::text;
  });
}

bool copies_file(const CallPlan& plan) {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(),
                     [](const Given& g) { return g.argument->name == "in_fd"; });
}

bool concerns_folder(const Signature& s) {
  return s.function == "readdir" || s.function == "rewinddir" || s.function == "fchdir";
}

bool changes_file(const Signature& s) {
  return s.function == "ftruncate" || s.function.ends_with("fallocate") || s.function == "aio_write" ||
         s.function == "MPI_File_set_size" || s.function == "MPI_File_preallocate" ||
         (s.function == "mmap" && has_flag(s, "MAP_SHARED") && has_flag(s, "PROT_WRITE"));
}

}  // namespace refrain::plan
