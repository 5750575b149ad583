// What must exist before a kernel runs, as functions of the kernel that make it.
#pragma once

#include <string>

#include "generate/tables.hpp"
#include "plan/inputs.hpp"

namespace refrain::generate {

struct InputsText {
  std::string functions{};
  std::string calls{};  ///< of these, for main
};

InputsText inputs_text(const plan::Inputs& inputs, Tables& tables);

}  // namespace refrain::generate
