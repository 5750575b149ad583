// Arguments that refer to the tables of a trace: strings by the number of their template, long lists by
// theirs. Such a number is an elastic value like any other, "names 6 + i" for a loop over variables, but
// unlike others it means nothing by itself: two ranks may have the same names under other numbers. While
// traces are united, a reference that steps through the table with a loop's index is therefore untied: it
// becomes the list of the numbers it takes, [6, 7, 8][i], which can be renumbered one by one. Afterwards a
// list that steps evenly is tied again.
#pragma once

#include "trace/references.hpp"
#include "trace/trace.hpp"

namespace refrain::merge {

/// Neither changes any value on any rank.
void untie_references(trace::Trace& trace);
/// The references of a process to `tables`.
void tie_references(const trace::Trace& tables, trace::Process& process);

}  // namespace refrain::merge
