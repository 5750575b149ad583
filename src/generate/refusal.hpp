// A trace that can't become a program: thrown deep inside the printer, turned into an error at its edge.
#pragma once

#include <string>

namespace refrain::generate {

struct Refusal {
  std::string reason;
};

}  // namespace refrain::generate
