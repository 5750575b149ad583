// See doubts_text.hpp. A doubt is a pair of expressions that differ where it matters (trace/at_size.hpp).
// Rank 0 looks at the ranks one by one, up to some number, and names the first doubt: `refrain info --ranks`
// has them all.
#include "generate/doubts_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "generate/c_text.hpp"
#include "generate/rank_text.hpp"
#include "scale/at_size.hpp"

namespace refrain::generate {
namespace {

bool concerns_kernel(const trace::Doubt& d) { return !d.where.starts_with(scale::in_layer); }

}  // namespace

bool has_doubts(const trace::Trace& trace) {
  return trace.scale_free() && std::any_of(trace.doubts.begin(), trace.doubts.end(), concerns_kernel);
}

std::string doubts_text(const trace::Trace& trace) {
  Tables tables("doubted");
  RankText ranks(0, tables);
  std::string body;
  std::set<std::string> known;  // the first that holds is named
  bool always = false;          // in doubt at any number of ranks that wasn't recorded
  for (const trace::Doubt& d : trace.doubts) {
    if (!concerns_kernel(d)) continue;
    Expression in = ranks.expression(d.ranks), chosen = ranks.expression(d.chosen),
               other = ranks.expression(d.other);
    bool same = chosen.is_constant() && other.is_constant(chosen.range.low);
    if (same || in.is_constant(0)) continue;
    std::vector<std::string> terms;
    if (!in.is_constant()) terms.push_back(in.at_least(Binding::equality));
    if (!chosen.is_constant() || !other.is_constant())
      terms.push_back(chosen.at_least(Binding::sum) + " != " + other.at_least(Binding::sum));
    std::string saying = "return " + c_string(comment_text(d.where + ": " + d.reason)) + ";\n";
    std::string condition = fmt::format("{}", fmt::join(terms, " && "));
    always = terms.empty();
    if (known.insert(condition).second)
      body += always ? "  " + saying : "  if (" + condition + ")\n    " + saying;
    if (always) break;
  }
  std::string sizes;
  for (uint32_t size : trace.sizes)
    sizes += (sizes.empty() ? "" : " || ") + ("nprocs == " + std::to_string(size));
  return "/* Laws that fit all recorded runs and may be wrong at other numbers of ranks. */\n" +
         tables.text() + "static inline const char* doubt_about(long long rank) {\n  (void)rank;\n" + body +
         (always ? "" : "  return NULL;\n") +
         "}\n"
         "static inline void say_doubts(void) {\n"
         "  const char* doubt = NULL;\n"
         "  if (rank != 0 || " +
         sizes +
         ") return;\n"
         "  for (long long r = 0; r < nprocs && r < 65536 && !doubt; ++r) {\n"
         "    doubt = doubt_about(r);\n"
         "    if (!doubt) doubt = doubt_about(nprocs - 1 - r);\n"
         "  }\n"
         "  quiet(1);\n"
         "  if (doubt) dprintf(errors, KERNEL \": not certain at %lld ranks: %s\\n\", nprocs, doubt);\n"
         "  quiet(0);\n}\n";
}

}  // namespace refrain::generate
