// What follows from the inputs of a trace for single calls.
#include <algorithm>

#include "plan/inputs.hpp"

namespace refrain::plan {
namespace {

using api::Kind;
using trace::OperandKind;

/// The handle of a call that reads or writes at a known offset; null for other calls.
const GivenArgument* file_handle(const CallPlan& plan) {
  // Calls that share a position with others can't know where they are.
  if (plan.row->traits.has(api::Trait::shares_position)) return nullptr;
  for (const GivenArgument& g : plan.arguments) {
    Kind kind = g.argument->kind;
    if (g.count > 0 && (kind == Kind::fd || kind == Kind::stream || kind == Kind::mpi_file)) return &g;
  }
  return nullptr;
}

}  // namespace

bool may_end_otherwise(const trace::Races& races, uint32_t number, const trace::Signature& signature) {
  auto found = races.find(number);
  if (found == races.end() || found->second == trace::Race::position) return false;
  return !signature.error.empty() ||
         (found->second != trace::Race::question && signature.result.kind != OperandKind::slot);
}

const GivenArgument* awaited_handle(const CallPlan& plan, const AwaitedPaths& awaited, uint32_t signature) {
  const GivenArgument* handle = file_handle(plan);
  if (handle == nullptr) return nullptr;
  auto found = awaited.find({signature, handle->first});
  return found != awaited.end() && found->second == Awaited::data ? handle : nullptr;
}

bool Inputs::needs_prepare() const {
  return !files.empty() || !objects.empty() ||
         std::any_of(folders.begin(), folders.end(),
                     [](const auto& folder) { return holds_something(folder.second); });
}

std::string Inputs::changed_note() const {
  auto found = std::find_if(files.begin(), files.end(), [](const InputFile& f) { return f.changed; });
  if (found == files.end()) return {};
  return "the program changes " + found->path +
         ", which it found: if --prepare makes it, HDF5 puts what is written elsewhere, and its size is "
         "another";
}

std::string Inputs::copied_note() const {
  std::string names;
  for (const InputFile& file : files)
    if (file.must_be_copied) names += (names.empty() ? "" : ", ") + file.path;
  if (names.empty()) return {};
  return "copy below --root what --prepare can't make: " + names +
         " (netCDF-4, or a very long header: the trace doesn't hold what is in it)";
}

Inputs Inputs::folders_only() const {
  Inputs only;
  for (const auto& [path, entries] : folders) only.folders[path] = 0;
  return only;
}

}  // namespace refrain::plan
