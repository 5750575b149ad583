#include "api/steps.hpp"

namespace refrain::api {
namespace {

constexpr Steps all_steps[] = {
#define STEPS(function, check, text, replayed) {#function, check, text},
#include "api/layers.def"
};

}  // namespace

Steps steps_of(std::string_view function) {
  for (const Steps& steps : all_steps)
    if (steps.function == function) return steps;
  return {};
}

}  // namespace refrain::api
