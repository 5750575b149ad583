#include "plan/filters.hpp"

#include "api/table.hpp"

namespace refrain::plan {

std::string compressing_call(const trace::Trace& trace) {
  for (const trace::Signature& s : trace.signatures)
    if (s.error.empty() && api::traits_of(s.function).has(api::Trait::sets_filter)) return s.function;
  return {};
}

std::string compressing_note(const std::string& call) {
  return "the program compresses data (" + call +
         "): what is written here is made up, so that compressed files have other sizes";
}

}  // namespace refrain::plan
