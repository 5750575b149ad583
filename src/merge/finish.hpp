// The last step of a merge: tables over ranks become expressions.
#pragma once

#include "trace/trace.hpp"

namespace refrain::merge {

/// Numbers the tables of strings, lists and signatures in the order of first use, describes rank sets the
/// canonical way, and replaces every table over ranks by an expression where one exists, or by a reference
/// to an equal one. Changes no value on any rank. Merging may go on afterwards. `threads` as in Options.
void finish(trace::Trace& trace, unsigned threads = 1);

}  // namespace refrain::merge
