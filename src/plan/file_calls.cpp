#include "plan/file_calls.hpp"

#include <algorithm>

namespace refrain::plan {
namespace {

using api::Kind;
using api::Trait;
using trace::OperandKind;
using trace::Signature;

bool is(const Signature& s, Trait trait) { return api::traits_of(s.function).has(trait); }

/// Whether `fits` accepts a flag, a mode or an enumerator among the operands.
template <class Fits>
bool any_name(const Signature& s, Fits fits) {
  return std::any_of(s.operands.begin(), s.operands.end(),
                     [&](const auto& o) { return o.kind == OperandKind::name && fits(o.text); });
}
bool has_flag(const Signature& s, const char* flag) {
  return any_name(s, [&](const std::string& text) { return text.find(flag) != std::string::npos; });
}
bool has_mode(const Signature& s, char first) {
  return is(s, Trait::opens_by_mode) &&
         any_name(s, [&](const std::string& text) { return text.starts_with(first); });
}

}  // namespace

Making making(const Signature& s, size_t path_number) {
  api::Traits traits = api::traits_of(s.function);
  if (traits.has(Trait::makes_file)) return Making::anew;
  if (traits.has_any({Trait::renames_file, Trait::links_file}))
    return path_number == 1 ? Making::anew : Making::no;
  if (has_mode(s, 'w')) return Making::anew;
  if (has_mode(s, 'a')) return Making::if_missing;
  if (!has_flag(s, "O_CREAT") && !has_flag(s, "MODE_CREATE")) return Making::no;
  bool anew = has_flag(s, "O_TRUNC") || has_flag(s, "O_EXCL") || has_flag(s, "MODE_EXCL");
  return anew ? Making::anew : Making::if_missing;
}

bool removes(const Signature& s, size_t path_number) {
  if (is(s, Trait::renames_file)) return path_number == 0;
  return is(s, Trait::removes_file);
}

bool opens_to_read(const Signature& s) {
  return has_flag(s, "O_RDWR") || has_flag(s, "MODE_RDWR") || has_flag(s, "MODE_RDONLY") ||
         (is(s, Trait::opens_by_mode) && has_flag(s, "+")) ||
         (has_flag(s, "O_CREAT") && !has_flag(s, "O_WRONLY"));
}

bool opens_to_append(const Signature& s) { return has_flag(s, "O_APPEND") || has_mode(s, 'a'); }

Contest contest(const Signature& s, size_t path_number) {
  api::Traits traits = api::traits_of(s.function);
  if (removes(s, path_number)) return Contest::remove;
  Making made = making(s, path_number);
  bool replaces = has_flag(s, "O_TRUNC") || traits.has_any({Trait::empties_file, Trait::renames_file});
  bool system = api::layer_named(s.layer).is_system;
  bool alone = made == Making::anew && system && !replaces;
  if (alone || has_flag(s, "O_EXCL") || has_flag(s, "MODE_EXCL")) return Contest::make;
  bool opens = s.bracket == trace::Bracket::opens || (system && traits.has(Trait::opens_file));
  return made == Making::no && (opens || traits.has(Trait::asks_about_file)) ? Contest::ask : Contest::none;
}

bool shows_absence(const std::string& error) {
  return error == "ENOENT" || error == "MPI_ERR_NO_SUCH_FILE" || error == "NC_ENOENT";
}

bool is_folder_call(const Signature& s) { return is(s, Trait::takes_folder) || has_flag(s, "O_DIRECTORY"); }

bool shows_existence(const std::string& error) {
  return error == "EEXIST" || error == "NC_EEXIST" || error == "EINVAL" || error == "ENOTEMPTY" ||
         error == "EISDIR";
}

bool is_relative(const CallPlan& plan, const Signature& s) {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(), [&](const GivenArgument& g) {
    return g.argument->kind == Kind::dirfd && s.operands[g.first].kind == OperandKind::slot;
  });
}

bool names_file(const CallPlan& plan, const Signature& s) {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(), [&](const GivenArgument& g) {
    return api::is_path(g.argument->kind) && g.count > 0 && s.operands[g.first].kind == OperandKind::text;
  });
}

bool copies_file(const CallPlan& plan) {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(),
                     [](const GivenArgument& g) { return g.argument->name == "in_fd"; });
}

bool opens_format(const Signature& s) {
  return api::layer_named(s.layer).has_format && is(s, Trait::opens_file);
}

bool concerns_folder(const Signature& s) { return is(s, Trait::concerns_folder); }

bool changes_file(const Signature& s) {
  api::Traits traits = api::traits_of(s.function);
  return traits.has(Trait::changes_file) ||
         (traits.has(Trait::maps_file) && has_flag(s, "MAP_SHARED") && has_flag(s, "PROT_WRITE"));
}

}  // namespace refrain::plan
