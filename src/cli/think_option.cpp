// See think_option.hpp.
#include "cli/think_option.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

#include "cli/readable.hpp"

namespace refrain::cli {

Result<double> think_factor(const std::string& text) {
  if (text == "none") return 0.0;
  if (text == "recorded") return 1.0;
  char* end = nullptr;
  double factor = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(factor) || factor < 0)
    return fail(ErrorKind::usage,
                fmt::format("--think can't be '{}'; try none, recorded, or a factor", printable(text)));
  return factor;
}

}  // namespace refrain::cli
