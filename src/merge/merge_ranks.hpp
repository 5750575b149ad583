// Many ranks' traces become one whose size follows their structure, not their number.
#pragma once

#include <vector>

#include "merge/align_ranks.hpp"
#include "trace/trace.hpp"

namespace refrain::merge {

/// The traces of all ranks as one: side by side first, then the processes of ranks that ran the same program
/// with the same arguments in the same folder are merged, in a binary tree over their ranks, and finished.
/// Processes that are no ranks stay as they are. Exact: at_rank gives of the result what it gave of the part.
trace::Trace merge_ranks(std::vector<trace::Trace> parts, const Options& options = {});
/// The same for a trace that has them side by side already; one without ranks stays as it is.
trace::Trace merged_ranks(trace::Trace trace, const Options& options = {});

/// Without the last step, finish().
trace::Trace merge_unfinished(std::vector<trace::Trace> parts, const Options& options = {});

/// One step of that tree, for ranks that send their traces to each other. The ranks of both must be disjoint;
/// those of `a` need not come first. The result isn't finished.
trace::Trace merge_two(trace::Trace a, trace::Trace b, const Options& options = {});

/// Appends what `tail` recorded, per process, thread and layer, behind `whole`, on the ranks that `tail` has
/// (some of those of `whole`, or all): calls that were made after ranks had been merged. Processes that
/// `whole` doesn't have are added.
void concatenate(trace::Trace& whole, trace::Trace tail);

}  // namespace refrain::merge
