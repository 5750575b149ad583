// The functions of a kernel that make its input files.
#pragma once

#include <string>

#include "generate/input_laws.hpp"
#include "generate/rank_text.hpp"
#include "generate/tables.hpp"
#include "plan/inputs.hpp"

namespace refrain::generate {

struct InputsText {
  std::string functions{};
  std::string calls{};  ///< statements in main that call the functions
  bool files = false;   ///< --prepare has files to make
};

InputsText inputs_text(const plan::Inputs& inputs, Tables& tables);
/// The same for any number of ranks.
InputsText inputs_text(const InputLaws& laws, RankText& ranks);

}  // namespace refrain::generate
