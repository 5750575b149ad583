#include "api/uncovered.hpp"

namespace refrain::api {
namespace {

struct Reason {
  std::string_view pattern, why;
};

constexpr Reason reasons[] = {
#define REASON(pattern, why) {pattern, why},
#include "api/layers.def"
};

}  // namespace

bool is_like(std::string_view text, std::string_view pattern) {
  size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (size_t skipped = 0; skipped <= text.size(); ++skipped)
    if (is_like(text.substr(skipped), pattern)) return true;
  return false;
}

std::string_view reason_uncovered(std::string_view function) {
  for (const Reason& reason : reasons)
    if (is_like(function, reason.pattern)) return reason.why;
  return {};
}

}  // namespace refrain::api
