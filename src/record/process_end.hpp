// How the process ends: what is written before, and what the trace says of it.
#pragma once

#include <cstdint>

namespace refrain::record {

/// It has just begun, or turned out to be a child.
void begin_unended();
/// As in the header of a part.
uint64_t ending_so_far();
/// Counts it with those that have ended, unless it is.
void count_ended();

void at_exit();
/// It ends by _exit: nothing is called any more that could flush, and nothing is needed.
void at_quick_exit();
void before_exec();
void after_failed_exec();
/// The process is about to be ended from outside: leaves the calling thread's part complete.
void before_abort();

}  // namespace refrain::record
