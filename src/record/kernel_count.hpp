// What the kernel says this process has read and written (/proc/self/task/*/io), held against what came
// through the hooks. The difference went past the recorder: by raw system calls, or from code that is linked
// statically. A bound from below: what the hooks have seen is counted generously (see seen_bytes.hpp).
// Requests of io_uring are not in the kernel's count, so rings that are not recorded are
// looked for among the descriptors.
#pragma once

namespace refrain::record {

/// From here on counts.
void begin_kernel_count();
/// The calling thread is about to end.
void count_ending_thread();
/// The program asked the kernel for a ring of io_uring by itself.
void note_own_ring();
/// Adds what went past the hooks since the count began to the recording's page, if it is worth a word. Only
/// system calls; may be called again.
void compare_with_kernel();

}  // namespace refrain::record
