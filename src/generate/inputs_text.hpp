// What must exist before a kernel runs, as functions of the kernel that make it.
#pragma once

#include <string>

#include "generate/input_laws.hpp"
#include "generate/rank_text.hpp"
#include "generate/tables.hpp"
#include "plan/inputs.hpp"

namespace refrain::generate {

struct InputsText {
  std::string functions{};
  std::string calls{};  ///< of these, for main
  bool files = false;   ///< some are made, with --prepare
};

InputsText inputs_text(const plan::Inputs& inputs, Tables& tables);
/// The same for any number of ranks.
InputsText inputs_text(const InputLaws& laws, RankText& ranks);

}  // namespace refrain::generate
