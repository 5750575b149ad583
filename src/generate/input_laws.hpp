// The input files of a kernel for any number of ranks: their number, names and sizes are functions of that
// number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/inputs.hpp"
#include "trace/template.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {

/// Files whose names differ only in their numbers; the first has index 0.
struct InputGroup {
  trace::Template form{};
  trace::RankExpression count{};                ///< over P
  std::vector<trace::RankExpression> fields{};  ///< over index and P
  trace::RankExpression size{};                 ///< over index and P, in bytes
  bool must_be_copied = false;                  ///< they can't be made
};

struct InputLaws {
  std::vector<InputGroup> files{};
  std::vector<std::string> folders{};
  plan::AwaitedPaths awaited{};
  trace::Races races{};
  std::string doubt{};  ///< what is to be said of files that can't be made; may be empty
};

/// The inputs of a scale-free trace. Throws Refusal if there is no law, or if inputs are not plain files.
InputLaws input_laws(const trace::Trace& trace);

}  // namespace refrain::generate
