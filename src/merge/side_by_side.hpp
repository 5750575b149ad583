// Joins the traces of several processes into one, side by side: each keeps its own tree, all share the
// tables of strings, lists and signatures.
#pragma once

#include <functional>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::merge {

/// The processes of all parts: ranks first, in their order, then the others, ordered by start time, then pid;
/// table entries in order of first use, equal ones once, so that equal runs give equal traces. Exact:
/// expanding a process gives the calls it gave before. What is said of the whole run (command, host, …) comes
/// from the first part that says it.
trace::Trace side_by_side(std::vector<trace::Trace> parts);

/// The same, handing out the processes one by one instead of keeping them in `whole`: each refers to the
/// tables of `whole` as they are by then. A part is released as soon as its processes have been handed out,
/// so that thousands of them are gone through once.
void for_each_process(std::vector<trace::Trace> parts, trace::Trace& whole,
                      const std::function<void(trace::Process)>& use);

/// Adds to `whole` what `part` says of the whole run and `whole` doesn't say yet.
void take_head(trace::Trace& whole, const trace::Trace& part);

/// Makes the trees of `part` refer to the tables of `whole`, which grow as needed.
void move_into(trace::Trace& whole, trace::Trace& part);

}  // namespace refrain::merge
