#include "plan/expand_names.hpp"

#include "trace/name_list.hpp"

namespace refrain::plan {

Result<std::vector<std::string>> names_of(std::string_view text) {
  auto runs = trace::name_runs(text);
  if (!runs) return tl::unexpected(runs.error());
  std::vector<std::string> names;
  for (const trace::NameRun& run : *runs) names.insert(names.end(), run.repeats, run.name);
  return names;
}

}  // namespace refrain::plan
